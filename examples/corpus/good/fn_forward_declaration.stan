// A function may be declared first and defined later.
functions {
  real later(real x);
  real sooner(real x) {
    return later(x) + 1;
  }
  real later(real x) {
    return x > 10 ? x : sooner(2 * x);
  }
}
transformed data {
  if (sooner(3) != 15) {
    reject("sooner(3) is ", sooner(3));
  }
}
