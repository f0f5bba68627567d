// n = 200
// W ~ adjacency(n); y ~ poisson(n; 6); E ~ uniform(n; 3, 9); lambda ~ uniform(n; -0.5, 1)
functions {
  real sparse_car_lpdf(vector phi, real tau, real alpha, array[,] int Ws, vector Ds, vector lambda, int n, int W_n) {
    row_vector[n] phit_D; row_vector[n] phit_W; vector[n] ldet_terms;
    phit_D = (phi .* Ds)'; phit_W = rep_row_vector(0, n);
    for (i in 1:W_n) {
      phit_W[Ws[i, 1]] = phit_W[Ws[i, 1]] + phi[Ws[i, 2]];
      phit_W[Ws[i, 2]] = phit_W[Ws[i, 2]] + phi[Ws[i, 1]];
    }
    for (i in 1:n) ldet_terms[i] = log1m(alpha * lambda[i]);
    return 0.5 * (n * log(tau) + sum(ldet_terms) - tau * (phit_D * phi - alpha * (phit_W * phi)));
  }
}
data { int n; matrix[n, n] W; array[n] int y; vector[n] E; vector[n] lambda; }
transformed data {
  int W_n = 0; vector[n] Ds;
  for (i in 1:(n - 1)) for (j in (i + 1):n) if (W[i, j] == 1) W_n += 1;
  array[W_n, 2] int Ws; int c = 1;
  for (i in 1:(n - 1)) for (j in (i + 1):n) if (W[i, j] == 1) { Ws[c, 1] = i; Ws[c, 2] = j; c += 1; }
  for (i in 1:n) Ds[i] = sum(W[i]);
}
parameters { real b; vector[n] phi; real<lower=0> tau; real<lower=0, upper=1> alpha; }
model { phi ~ sparse_car(tau, alpha, Ws, Ds, lambda, n, W_n); b ~ normal(0, 1); tau ~ gamma(2, 2); y ~ poisson_log(log(E) + b + phi); }
