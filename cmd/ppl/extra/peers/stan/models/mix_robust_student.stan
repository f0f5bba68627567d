// N = 400
// x ~ normal(N); y ~ normal(N)
data { int N; vector[N] x; vector[N] y; }
parameters { real a; real b; real<lower=0> s; real<lower=0, upper=1> w; real<lower=0> sbig; }
model {
  w ~ beta(1, 9); sbig ~ normal(0, 10); s ~ normal(0, 1);
  for (n in 1:N) target += log_mix(w, student_t_lpdf(y[n] | 3, a + b * x[n], s + sbig), normal_lpdf(y[n] | a + b * x[n], s));
}
