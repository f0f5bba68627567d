// Loops in loops: one operation, an exchange, or rows.
data {
  int N;
  int T;
  array[N, T] real y;
  matrix[N, T] x;
  array[N] int<lower=1, upper=T> len;
}
parameters {
  vector[N] alpha;
  vector[N] beta;
  vector[T] c;
  real<lower=0> s;
}
model {
  for (i in 1:N)
    for (t in 1:T)
      y[i, t] ~ normal(alpha[i] + beta[i] * x[i, t] + c[t], s);
  for (i in 1:N) {
    real m = 0;
    for (t in 1:T)
      m += x[i, t] * c[t];
    alpha[i] ~ normal(m, 1);
  }
  for (i in 1:N)
    for (t in 1:len[i])
      y[i][t] ~ normal(beta[i], 1);
  for (i in 1:N) {
    real m = alpha[i] * 2;
    for (t in 1:T)
      target += -square(m - x[i, t]);
  }
}
