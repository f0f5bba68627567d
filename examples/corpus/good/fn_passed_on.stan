// Functions given to functions of functions may call themselves, other functions of
// the program, and functions of functions.
functions {
  real power(real x, int n) {
    return n == 0 ? 1 : x * power(x, n - 1);
  }
  real integrand(real x, real xc, int n) {
    return power(x, n);
  }
  real area(real b, int n) {
    return integrate_1d_area(b, n);
  }
  real integrate_1d_area(real b, int n) {
    return quadrature(b, n);
  }
  real quadrature(real b, int n) {
    real s = 0;
    for (i in 1:1000) {
      s += integrand((i - 0.5) * b / 1000, 0, n) * b / 1000;
    }
    return s;
  }
  vector decay(real t, vector y, real k) {
    return -area(k, 0) * y;
  }
  real partial(array[] real xs, int start, int end, vector mu) {
    real lp = 0;
    for (i in 1:size(xs)) {
      lp += normal_lpdf(xs[i] | mu[start + i - 1], 1);
    }
    return lp;
  }
}
transformed data {
  array[3] real xs = {0.5, 1, 1.5};
}
parameters {
  real<lower=0> k;
  vector[3] mu;
}
transformed parameters {
  real y_end = ode_rk45(decay, [1]', 0, {1.0}, k)[1][1];
}
model {
  k ~ exponential(1);
  mu ~ normal(y_end, 1);
  target += reduce_sum(partial, xs, 1, mu);
  if (abs(area(1, 2) - 1.0 / 3) > 1e-4) {
    reject("area");
  }
}
