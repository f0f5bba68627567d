// `fatal_error` stops the run; it takes what `print` takes.
data {
  int N;
}
transformed data {
  if (N > 1000000) {
    fatal_error("N = ", N, " is more than this model can take");
  }
}
parameters {
  real x;
}
model {
  x ~ normal(0, 1);
}
