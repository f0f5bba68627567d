// Variables of every block.
functions {
  real twice(real x) {
    return 2 * x;
  }
}
data {
  int<lower=0> N;
  vector[N] y;
}
parameters {
  real mu;
}
model {
  real shift = twice(mu);
  y ~ normal(shift, 1);
}
generated quantities {
  real out = mu + 1;
}
