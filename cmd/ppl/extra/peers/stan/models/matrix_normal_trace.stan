// N = 25; K = 4
// Y ~ normal(N, K); X ~ normal(N, 3)
data { int N; int K; matrix[N, K] Y; matrix[N, 3] X; }
parameters { matrix[3, K] B; cov_matrix[K] S; }
model { S ~ inv_wishart(K + 2, identity_matrix(K)); to_vector(B) ~ normal(0, 2); target += -0.5 * N * log_determinant_spd(S) - 0.5 * trace_gen_quad_form(inverse_spd(S), identity_matrix(N), Y - X * B); }
