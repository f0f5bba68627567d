// A number goes with every element of a container, on either side of every elementwise operator.
transformed data {
  vector[2] v = [2, 4]';
  row_vector[2] r = [2, 4];
  matrix[2, 2] m = [[1, 2], [4, 8]];
  complex_vector[2] c = [1i, 2]';
  vector[2] below = 8 / v;
  matrix[2, 2] inverse = 8.0 / m;
  vector[2] doubled = v .* 2;
  row_vector[2] halved = 0.5 .* r;
  complex_vector[2] turned = 1i .* c;
  complex_vector[2] quotient = 2 / c;
  complex_matrix[2, 2] unit = to_complex(m, 0) / to_complex([[2, 0], [0, 2]], 0);
  int product = 3 .* 2;
  real ratio = 3 .* 2.5;
  if (below[2] != 2 || inverse[2, 1] != 2 || doubled[2] != 8 || halved[1] != 1) reject("real");
  if (turned[1] != -1 || quotient[2] != 1 || unit[2, 2] != 4) reject("complex");
  if (product != 6 || ratio != 7.5) reject("numbers");
}
parameters {
  vector<lower=0.5>[2] a;
  real<lower=0.5> b;
}
model {
  target += sum(b ./ a) + sum(b / a) - sum(a .* b) - sum(exp(b) .* a) + sum(fma(b, a, 2)) - 9 * sum(fma(a, a, b));
}
