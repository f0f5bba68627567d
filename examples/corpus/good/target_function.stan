// `target()` reads the log density so far.
parameters {
  real x;
}
model {
  real before = target();
  target += -x ^ 2;
  if (abs(target() - before + square(x)) > 1e-8) {
    reject("target is ", target(), ", was ", before);
  }
}
