// T = 144
// y ~ normal(T)
data { int T; vector[T] y; }
parameters { real<lower=0, upper=1> al; real<lower=0, upper=1> be; real<lower=0, upper=1> ga; real l0; real b0; vector[12] s0; real<lower=0> sg; }
model {
  vector[T + 12] s;
  real l = l0;
  real b = b0;
  s[1:12] = s0 - mean(s0);
  al ~ beta(2, 2); be ~ beta(2, 5); ga ~ beta(2, 5); l0 ~ normal(0, 2); b0 ~ normal(0, 0.5); s0 ~ normal(0, 1); sg ~ normal(0, 1);
  for (t in 1:T) {
    real lp = l;
    y[t] ~ normal(l + b + s[t], sg);
    l = al * (y[t] - s[t]) + (1 - al) * (l + b);
    b = be * (l - lp) + (1 - be) * b;
    s[t + 12] = ga * (y[t] - l) + (1 - ga) * s[t];
  }
}
