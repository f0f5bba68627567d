parameters {
  real x;
}
model {
  x ~ normal(0, 1);
  print(get_lp()); // ERROR
}
