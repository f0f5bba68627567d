// T = 300
// y ~ normal(T)
functions {
  real kalman_lpdf(vector y, real sv, real sw) {
    real m = 0; real P = 100; real lp = 0;
    for (t in 1:num_elements(y)) {
      real F; real e; real K;
      P += sw ^ 2; F = P + sv ^ 2; e = y[t] - m; K = P / F;
      lp += -0.5 * (log(2 * pi()) + log(F) + e ^ 2 / F);
      m += K * e; P *= 1 - K;
    }
    return lp;
  }
}
data { int T; vector[T] y; }
parameters { real<lower=0> sv; real<lower=0> sw; }
model { sv ~ normal(0, 1); sw ~ normal(0, 1); y ~ kalman(sv, sw); }
