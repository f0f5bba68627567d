// Lines may end as on Windows.
data {
  int<lower=0> N; // with a comment
  vector[N] y;
}
parameters {
  real mu;
}
model {
  y ~ normal(mu,
             1);
}
