parameters {
  real x;
}
model {
  increment_log_prob(-x * x); // ERROR
}
