// N = 30; T = 10; D = 5
// t ~ uniform(N, T; 0.5, 60); y ~ lognormal(N, T; 0, 0.5); td ~ grid(D; 0, 48)
functions {
  real onecomp(real t, vector td, real ka, real ke, real V) {
    real c = 0;
    for (d in 1:num_elements(td)) {
      real dt = t - td[d];
      if (dt > 0) c += 100 * ka / (V * (ka - ke)) * (exp(-ke * dt) - exp(-ka * dt));
    }
    return c;
  }
}
data { int N; int T; int D; array[N] vector[T] t; array[N] vector[T] y; vector[D] td; }
parameters { vector[3] mu; vector<lower=0>[3] om; matrix[3, N] z; real<lower=0> s; }
model {
  mu ~ normal([0.5, 0, 3]', 0.5); om ~ normal(0, 0.3); to_vector(z) ~ std_normal(); s ~ normal(0, 0.5);
  for (n in 1:N) {
    vector[3] th = exp(mu + om .* z[, n]);
    vector[T] c;
    for (j in 1:T) c[j] = onecomp(t[n, j], td, th[1], 0.1 * th[2], th[3]);
    y[n] ~ lognormal(log(c + 1e-9), s);
  }
}
