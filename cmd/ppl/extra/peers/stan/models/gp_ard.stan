// N = 60; D = 4
// x ~ normal(N, D); y ~ normal(N)
functions {
  matrix L_cov(array[] vector x, real alpha, vector rho, real delta) {
    int N = size(x); matrix[N, N] K; real sq = square(alpha);
    for (i in 1:(N - 1)) {
      K[i, i] = sq + delta;
      for (j in (i + 1):N) { K[i, j] = sq * exp(-0.5 * dot_self((x[i] - x[j]) ./ rho)); K[j, i] = K[i, j]; }
    }
    K[N, N] = sq + delta;
    return cholesky_decompose(K);
  }
}
data { int N; int D; array[N] vector[D] x; vector[N] y; }
parameters { vector<lower=0>[D] rho; real<lower=0> alpha; real<lower=0> sigma; vector[N] eta; }
model {
  vector[N] f = L_cov(x, alpha, rho, 1e-9) * eta;
  rho ~ inv_gamma(5, 5); alpha ~ std_normal(); sigma ~ std_normal(); eta ~ std_normal();
  y ~ normal(f, sigma);
}
