parameters {
  real mu;
}
model {
  mu ~ normal(0, 1);
}
inference {
  fit = advi(family = "mean_field"); // ERROR
}
