// _lupdf of a library density may drop constants where the target is computed up to
// a constant; the user's own densities hand that on.
functions {
  real unit_lpdf(real x) {
    return normal_lupdf(x | 0, 1);
  }
  real counted_lpmf(int n, real lambda) {
    return poisson_lupmf(n | lambda);
  }
  real all_lp(real x) {
    x ~ normal(0, 2);
    return unit_lpdf(x | );
  }
}
data {
  int<lower=0> n;
}
parameters {
  real x;
  real<lower=0> lambda;
}
model {
  x ~ unit();
  target += unit_lpdf(x | );
  target += unit_lupdf(x | ) + all_lp(x);
  n ~ counted(lambda);
  lambda ~ gamma(2, 1);
}
generated quantities {
  real full = unit_lpdf(1 | );
}
