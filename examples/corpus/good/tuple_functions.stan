// Functions take and give tuples, nested ones and promoted ones too.
functions {
  tuple(vector, matrix) moments(matrix x) {
    int n = rows(x);
    vector[cols(x)] m;
    for (j in 1:cols(x)) {
      m[j] = mean(x[, j]);
    }
    matrix[n, cols(x)] c = x - rep_matrix(m', n);
    return (m, c' * c / (n - 1));
  }
  tuple(int, tuple(real, real)) nest(tuple(real, real) x) {
    return (2, (x.2, x.1));
  }
  real second(tuple(complex, real) x) {
    return x.2 + get_real(x.1);
  }
}
transformed data {
  vector[2] m;
  matrix[2, 2] s;
  (m, s) = moments([[1, 2], [3, 4], [5, 9]]);
  int k;
  real a;
  real b;
  (k, (a, b)) = nest((1, 2));
  if (m[2] != 5 || s[1, 1] != 4 || a != 2 || b != 1 || k != 2) {
    reject("tuples of functions");
  }
  if (second((1, 2)) != 3 || nest((3, 4)).2.1 != 4) {
    reject("tuples of functions");
  }
}
