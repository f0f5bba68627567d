parameters {
  real x;
}
data { // ERROR
  int N;
}
model {
  x ~ normal(0, 1);
}
