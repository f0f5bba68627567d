data {
  int<lower=0> N;
  vector[N] y;
}
