data { int N; vector[N] y; }
parameters {
  real<lower=0 upper=1> p; // ERROR
}
model {
  y ~ normal(p 2); // ERROR
  for (i in 1..N) y[i] ~ normal(p, 1); // ERROR
}
generated quantities {
  vector[N] yrep ~ normal(p, 1); // ERROR
}
