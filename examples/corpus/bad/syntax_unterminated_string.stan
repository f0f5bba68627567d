parameters {
  real x;
}
model {
  print("x = , x); // ERROR
  x ~ normal(0, 1);
}
