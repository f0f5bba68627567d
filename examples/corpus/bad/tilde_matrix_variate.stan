parameters {
  matrix[2, 2] x;
}
model {
  x ~ normal(0, 1); // ERROR
}
