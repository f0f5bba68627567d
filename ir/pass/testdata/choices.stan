data {
  int<lower=0> N;
  vector[N] y;
}
parameters {
  real mu;
  real<lower=0> sigma;
}
model {
  y ~ normal(mu, sigma);
}
generated quantities {
  array[N] real y_rep;
  int above = 0;
  real largest = negative_infinity();
  int which;
  array[N] int sign = rep_array(0, N);
  real clipped = mu > 1 ? 1 : mu < 0 || sigma > 3 ? 0 : mu;
  for (n in 1:N) {
    y_rep[n] = normal_rng(mu, sigma);
    if (y_rep[n] > y[n]) {
      above += 1;
      if (y_rep[n] > largest) {
        largest = y_rep[n];
        which = n;
      }
    } else {
      real d = y[n] - y_rep[n];
      sign[n] = -1;
      if (d > sigma) sign[n] -= 1;
    }
    if (y[n] > 0) above += 0;
    if (mu > y[n]) print(mu);
  }
  real at = y_rep[which];
}
