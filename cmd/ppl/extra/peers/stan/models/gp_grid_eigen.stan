// n1 = 12; n2 = 15
// x1 ~ grid(n1; 0, 1); x2 ~ grid(n2; 0, 1); y ~ normal(n2, n1)
data { int n1; int n2; array[n1] real x1; array[n2] real x2; matrix[n2, n1] y; }
parameters { real<lower=0> var1; real<lower=0> bw1; real<lower=0> bw2; real<lower=0.00001> sigma; }
model {
  matrix[n1, n1] S1 = gp_exp_quad_cov(x1, sqrt(var1), bw1) + diag_matrix(rep_vector(1e-6, n1));
  matrix[n2, n2] S2 = gp_exp_quad_cov(x2, 1.0, bw2) + diag_matrix(rep_vector(1e-6, n2));
  matrix[n1, n1] Q1 = eigenvectors_sym(S1); matrix[n2, n2] Q2 = eigenvectors_sym(S2);
  vector[n1] e1 = eigenvalues_sym(S1); vector[n2] e2 = eigenvalues_sym(S2);
  matrix[n2, n1] E = e2 * e1' + square(sigma);
  var1 ~ lognormal(0, 1); bw1 ~ cauchy(0, 2.5); bw2 ~ cauchy(0, 2.5); sigma ~ lognormal(0, 1);
  target += -0.5 * sum(square(Q2' * y * Q1) ./ E) - 0.5 * sum(log(E));
}
