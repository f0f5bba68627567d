// Loops that read data only, parameters only, and both.
data {
  int<lower=0> N;
  vector[N] x;
  array[N] int<lower=0, upper=1> y;
}
parameters {
  real a;
  real b;
}
model {
  real total = 0;
  for (n in 1 : N) {
    total += x[n] ^ 2;
  }
  for (i in 1 : 3) {
    target += -square(a - i);
  }
  for (n in 1 : N) {
    real eta = a + b * x[n];
    if (y[n]) {
      target += log_inv_logit(eta);
    } else {
      target += log1m_inv_logit(eta);
    }
  }
  b ~ normal(0, sqrt(total + 1));
}
