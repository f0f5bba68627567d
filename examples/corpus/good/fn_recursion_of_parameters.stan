// A recursive function of a parameter.
functions {
  real horner(vector c, real x, int k) {
    if (k == size(c)) {
      return c[k];
    }
    return c[k] + x * horner(c, x, k + 1);
  }
}
data {
  int<lower=1> K;
  vector[K] c;
}
parameters {
  real x;
}
model {
  target += -square(horner(c, x, 1)) - x ^ 4;
}
