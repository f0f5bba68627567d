// N = 200; D = 4
// y ~ normal(N, D)
data { int N; int D; array[N] vector[D] y; }
parameters { vector[D] mu; cov_matrix[D] S; real<lower=2> nu; }
model { S ~ inv_wishart(D + 2, diag_matrix(rep_vector(1.0, D))); nu ~ gamma(2, 0.1); y ~ multi_student_t(nu, mu, S); }
