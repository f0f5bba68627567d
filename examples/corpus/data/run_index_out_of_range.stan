data {
  int<lower=1> n;
}
transformed data {
  vector[3] v = [1, 2, 3]';
  real x = v[n];
}
