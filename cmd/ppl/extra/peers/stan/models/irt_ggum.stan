// I = 80; J = 10; N = 800
// p ~ levels(N; I); q ~ levels(N; J); y ~ counts(N; 0, 2)
functions {
  real ggum_lpmf(int y, real theta, real alpha, real delta, vector tau) {
    int C = rows(tau);
    int M = 2 * C + 1;
    vector[C + 1] num;
    real acc = 0;
    for (w in 0:C) {
      if (w > 0) acc += tau[w];
      num[w + 1] = log_sum_exp(alpha * (w * (theta - delta) - acc), alpha * ((M - w) * (theta - delta) - acc));
    }
    return num[y + 1] - log_sum_exp(num);
  }
}
data { int I; int J; int N; array[N] int p; array[N] int q; array[N] int y; }
parameters { vector[I] theta; vector<lower=0>[J] alpha; vector[J] delta; array[J] vector[2] tau; }
model {
  theta ~ std_normal(); alpha ~ lognormal(0, 0.5); delta ~ normal(0, 2);
  for (j in 1:J) tau[j] ~ normal(-1, 1);
  for (n in 1:N) y[n] ~ ggum(theta[p[n]], alpha[q[n]], delta[q[n]], tau[q[n]]);
}
