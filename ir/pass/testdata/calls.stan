// Functions that return nothing: written out where they have loops, whatever they are given.
functions {
  void priors_lp(real a, real s) {
    a ~ normal(0, s);
    s ~ exponential(1);
  }
  void rows_lp(int n, data vector x, array[] int y, matrix m, real a, array[] int which) {
    vector[n] mu = m * [a, 1]';
    priors_lp(a, 1.5);
    for (i in 1:n) {
      if (is_nan(x[i])) continue;
      y[i] ~ poisson_log(mu[i] + x[i]);
    }
    for (w in which) {
      if (w > n) break;
      target += w * a;
    }
  }
  void stops_lp(int n, real a) {
    if (n > 100) return;
    for (i in 1:n)
      target += a / i;
  }
  void within_lp(int n, real a) {
    for (i in 1:n) {
      if (a > i) return;
      target += a;
    }
  }
  void again_lp(int n, real a) {
    for (i in 1:n) target += a;
    if (n > 1) again_lp(n - 1, a);
  }
  void tell(vector v) {
    int k = 1;
    while (k <= size(v)) {
      print(v[k]);
      k += 1;
    }
  }
}
data {
  int n;
  vector[n] x;
  array[n] int y;
  matrix[n, 2] m;
}
parameters {
  real a;
  real<lower=0> s;
}
model {
  priors_lp(a, s);
  rows_lp(n, x, y, m + a, a, y);
  stops_lp(y[1], a * s);
  if (n > 2) within_lp(n, a);
  again_lp(n, a);
}
generated quantities {
  tell(x * a);
}
