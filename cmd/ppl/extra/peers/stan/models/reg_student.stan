// N = 800; K = 6
// x ~ normal(N, K); y ~ normal(N)
data { int N; int K; matrix[N, K] x; vector[N] y; }
parameters { vector[K] beta; real<lower=0> sigma; real<lower=1> nu; }
model {
  beta ~ normal(0, 5);
  nu ~ gamma(2, 0.1);
  sigma ~ exponential(1);
  y ~ student_t(nu, x * beta, sigma);
}
