// N = 500
// x ~ normal(N, 2); z ~ normal(N, 3); sel ~ bernoulli(N; 0.6); y ~ normal(N)
data { int N; matrix[N, 2] x; matrix[N, 3] z; array[N] int sel; vector[N] y; }
parameters { vector[2] b; vector[3] g; real<lower=0> s; real<lower=-1, upper=1> rho; }
model {
  b ~ normal(0, 2); g ~ normal(0, 2); s ~ normal(0, 2);
  for (n in 1:N) {
    real eta = z[n] * g;
    real mu = x[n] * b;
    if (sel[n] == 0) target += log(Phi(-eta));
    else target += log(Phi((eta + rho / s * (y[n] - mu)) / sqrt(1 - square(rho)))) + normal_lpdf(y[n] | mu, s);
  }
}
