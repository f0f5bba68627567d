// N = 60; K = 5
// y ~ normal(N, K)
data { int N; int K; matrix[N, K] y; }
transformed data { matrix[K, K] S = crossprod(y); matrix[K, K] I = identity_matrix(K); }
parameters { cov_matrix[K] W; vector<lower=0>[K] d; }
model { W ~ wishart(K + 3, I); d ~ gamma(2, 2); S ~ wishart(N, quad_form_diag(inverse_spd(W), d)); }
