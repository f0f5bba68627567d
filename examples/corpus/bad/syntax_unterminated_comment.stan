parameters {
  real x;
}
/* this comment has no end // ERROR
model {
  x ~ normal(0, 1);
}
