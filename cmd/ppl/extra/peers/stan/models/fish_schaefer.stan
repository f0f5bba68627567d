// T = 50
// C ~ uniform(T; 5, 15); I ~ lognormal(T; 0, 0.3)
data { int T; vector[T] C; vector[T] I; }
parameters { real<lower=0.01, upper=1.5> r; real<lower=150, upper=1500> K; real<lower=0> q; real<lower=0> sp; real<lower=0> so; vector[T] u; }
transformed parameters {
  vector[T] B;
  B[1] = 0.9 * exp(sp * u[1]);
  for (t in 2:T) B[t] = fmax(B[t - 1] + r * B[t - 1] * (1 - B[t - 1]) - C[t - 1] / K, 0.001) * exp(sp * u[t]);
}
model {
  r ~ lognormal(-1, 0.5); K ~ lognormal(6, 0.5); q ~ lognormal(0, 1); sp ~ normal(0, 0.2); so ~ normal(0, 0.5); u ~ std_normal();
  I ~ lognormal(log(q * B), so);
}
