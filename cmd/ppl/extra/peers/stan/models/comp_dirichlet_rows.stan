// N = 250; K = 4
// y ~ simplex(N, K); x ~ normal(N)
data { int N; int K; array[N] simplex[K] y; vector[N] x; }
parameters { vector[K - 1] a; vector[K - 1] b; real<lower=0> phi; }
model {
  a ~ normal(0, 2); b ~ normal(0, 2); phi ~ gamma(2, 0.1);
  for (n in 1:N) {
    vector[K] eta;
    eta[1] = 0;
    for (k in 2:K) eta[k] = a[k - 1] + b[k - 1] * x[n];
    y[n] ~ dirichlet(phi * softmax(eta) + 0.01);
  }
}
