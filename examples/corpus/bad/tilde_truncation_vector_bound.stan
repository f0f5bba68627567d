data {
  vector[2] y;
}
model {
  y ~ normal(0, 1) T[[0, 0]', ]; // ERROR
}
