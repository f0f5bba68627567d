parameters {
  real mu;
}
model {
  mu ~ normal(0, 1);
}
inference {
  fit = gvi(divergence = kullback(1)); // ERROR
}
