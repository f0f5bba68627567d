parameters {
  real mu;
}
model {
  mu ~ normal(0, 1);
}
inference {
  fit = gvi(divergence = [nu: kl(1)]); // ERROR
}
