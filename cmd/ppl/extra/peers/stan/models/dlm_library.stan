// T = 60
// y ~ normal(2, T)
data { int T; matrix[2, T] y; }
transformed data { matrix[2, 2] F = identity_matrix(2); matrix[2, 2] G = [[1, 0.5], [0, 0.9]]; matrix[2, 2] C0 = 2 * identity_matrix(2); vector[2] m0 = rep_vector(0, 2); }
parameters { vector<lower=0>[2] v; vector<lower=0>[2] w; }
model { v ~ normal(0, 1); w ~ normal(0, 1); y ~ gaussian_dlm_obs(F, G, v, diag_matrix(w), m0, C0); }
