// Every kind of expression.
functions {
  vector rate(real t, vector y, real k) {
    return -k * y;
  }
  real twice(real x) {
    return 2 * x;
  }
}
data {
  int<lower=0> N;
  array[N] int<lower=1, upper=3> group;
  vector<lower=-1, upper=N>[N] y;
  tuple(int, array[2] vector[N]) pair;
  array[3] tuple(real, real) pairs;
}
transformed data {
  real whole = 3;
  complex z = 2 - 1.5i;
  array[2] real reals = {1, N};
  row_vector[2] row = [1, 2.5];
  matrix[2, 2] rows = [[1, 2], row];
  complex_row_vector[2] zrow = [1, 2i];
  tuple(real, complex) wide = (1, 2);
  real first = pairs[2].1;
  int three = 7 %/% 2 + 7 % 2;
  real half = N / 2 + 1 / 2.0;
}
parameters {
  real<lower=0> k;
  real<offset=1> shifted;
  vector<multiplier=k>[N] scaled;
  corr_matrix[2] R;
}
transformed parameters {
  array[N] vector[2] path = ode_rk45(rate, [1, 1]', 0, to_array_1d(y), k);
}
model {
  vector[2] picked = path[1][{2, 1}];
  row_vector[2] line = rows[2];
  matrix[1, 2] part = rows[2 : , : ];
  real c = k > 1 && N > 2 || !(shifted < 0) ? twice(k) : N;
  target += normal_lpdf(pair.2[1] | c, 1) + target();
  target += y' * scaled + quad_form(R, picked) + part[1, 1] - -line[2] ^ 2;
}
