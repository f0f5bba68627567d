parameters {
  real mu;
}
model {
  mu ~ normal(0, 1);
}
inference {
  fit = gvi(divergence = renyi(0.5, 0.5)); // ERROR
}
