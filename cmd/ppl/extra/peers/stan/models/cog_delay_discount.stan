// N = 20; T = 60
// d ~ uniform(N, T; 1, 100); big ~ uniform(N, T; 10, 50); soon ~ uniform(N, T; 5, 30); y ~ bernoulli(N, T; 0.5)
data { int N; int T; array[N, T] real d; array[N, T] real big; array[N, T] real soon; array[N, T] int y; }
parameters { vector[2] mu; vector<lower=0>[2] s; vector[N] kp; vector[N] bp; }
transformed parameters { vector[N] k = Phi_approx(mu[1] + s[1] * kp); vector[N] beta = Phi_approx(mu[2] + s[2] * bp) * 5; }
model {
  mu ~ normal(0, 1); s ~ normal(0, 0.2); kp ~ normal(0, 1); bp ~ normal(0, 1);
  for (i in 1:N) for (t in 1:T) {
    real evl = big[i, t] / (1 + k[i] * d[i, t]); real evs = soon[i, t];
    y[i, t] ~ bernoulli_logit(beta[i] * (evl - evs));
  }
}
