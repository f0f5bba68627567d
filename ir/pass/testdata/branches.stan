functions {
  real pieces(real x, real at, real a) {
    if (x < 0) return 0;
    if (x < at) return a * sqrt(at - x);
    return a;
  }
  vector rest(vector x, real at) {
    vector[num_elements(x)] r;
    for (i in 1:num_elements(x)) r[i] = x[i] > at ? log(x[i] - at) : 0;
    return r;
  }
}
data {
  int<lower=0> N;
  vector[N] x;
  vector[N] y;
}
parameters {
  real at;
  real a;
  real<lower=0> s;
  real<lower=0> r;
}
model {
  for (n in 1:N) {
    if (x[n] < at) y[n] ~ normal(a, s);
    else if (y[n] > a && s > 1) y[n] ~ normal(pieces(x[n] - at, a, s), s);
    else y[n] ~ normal(0, r);
    if (y[n] > at) {
      real e = y[n] - at;
      target += -e;
    }
    if (s > 3) target += -x[n];
  }
  target += sum(rest(x, at));
}
