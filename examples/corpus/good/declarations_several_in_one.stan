// One declaration for several variables, some with a value.
data {
  int N, M;
  array[2] real x, y;
}
transformed data {
  real a = 1, b, c = a + 1;
  array[2] vector[3] u, v = {[1, 2, 3]', [4, 5, 6]'}, w;
  b = 3;
  u = v;
  w = u;
  if (a + b + c != 6 || w[2, 3] != 6) {
    reject("declarations");
  }
}
parameters {
  real<lower=0> sigma, tau;
}
transformed parameters {
  real ratio = sigma / tau, inverse = 1 / ratio;
}
model {
  sigma ~ exponential(1);
  tau ~ exponential(inverse);
}
