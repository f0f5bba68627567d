// N = 1000; K = 5
// y ~ normal(N); X ~ normal(N, K)
functions {
  real huber_lpdf(vector y, vector mu, real s, real k) {
    real lp = 0;
    for (n in 1:num_elements(y)) {
      real z = abs(y[n] - mu[n]) / s;
      lp += z < k ? -0.5 * square(z) : -k * (z - 0.5 * k);
    }
    return lp - num_elements(y) * log(s);
  }
}
data { int N; int K; vector[N] y; matrix[N, K] X; }
parameters { vector[K] b; real<lower=0> s; real<lower=0.5, upper=3> k; }
model { b ~ normal(0, 1); s ~ exponential(1); y ~ huber(X * b, s, k); }
