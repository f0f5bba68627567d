// T = 100; p = 3
// y ~ normal(T)
functions {
  real ssm_lpdf(vector y, matrix G, row_vector H, matrix Q, real r) {
    int p = cols(H); vector[p] m = rep_vector(0, p); matrix[p, p] P = 10 * identity_matrix(p); real lp = 0;
    for (t in 1:rows(y)) {
      real F; real e; vector[p] K;
      m = G * m; P = quad_form_sym(P, G') + Q;
      F = quad_form_sym(P, H') + r; e = y[t] - H * m; K = P * H' / F;
      lp += normal_lpdf(e | 0, sqrt(F));
      m += K * e; P -= K * K' * F;
    }
    return lp;
  }
}
data { int T; int p; vector[T] y; }
parameters { vector<lower=0>[p] q; real<lower=0> r; real<lower=-1, upper=1> phi; }
model {
  matrix[p, p] G = identity_matrix(p); row_vector[p] H = rep_row_vector(0, p);
  G[1, 2] = 1; G[p, p] = phi; H[1] = 1; H[p] = 1;
  q ~ normal(0, 1); r ~ normal(0, 1);
  y ~ ssm(G, H, diag_matrix(square(q)), square(r));
}
