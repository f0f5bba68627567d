// N = 150; P = 40
// X ~ poisson(N, P; 0.15); y ~ normal(N)
data { int N; int P; matrix[N, P] X; vector[N] y; }
transformed data { vector[rows(csr_extract_w(X))] w = csr_extract_w(X); array[size(csr_extract_v(X))] int v = csr_extract_v(X); array[size(csr_extract_u(X))] int u = csr_extract_u(X); }
parameters { vector[P] b; real<lower=0> tau; real<lower=0> s; }
model { b ~ double_exponential(0, tau); tau ~ normal(0, 1); s ~ normal(0, 1); y ~ normal(csr_matrix_times_vector(N, P, w, v, u, b), s); }
