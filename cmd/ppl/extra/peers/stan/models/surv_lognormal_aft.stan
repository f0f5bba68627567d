// N = 500; Nc = 200
// xo ~ normal(N); xc ~ normal(Nc); to ~ exponential(N); tc ~ exponential(Nc)
data { int N; int Nc; vector[N] xo; vector[Nc] xc; vector[N] to; vector[Nc] tc; }
parameters { real a; real b; real<lower=0> s; }
model {
  a ~ normal(0, 2); b ~ normal(0, 2); s ~ normal(0, 1);
  to ~ lognormal(a + b * xo, s);
  target += lognormal_lccdf(tc | a + b * xc, s);
}
