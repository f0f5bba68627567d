// N = 2000; I = 100; J = 20
// ii ~ levels(N; I); jj ~ levels(N; J); y ~ counts(N; 0, 3)
functions {
  real pcm(int y, real theta, vector beta) {
    vector[rows(beta) + 1] unsummed = append_row(rep_vector(0.0, 1), theta - beta);
    vector[rows(beta) + 1] probs = softmax(cumulative_sum(unsummed));
    return categorical_lpmf(y + 1 | probs);
  }
}
data { int N; int I; int J; array[N] int ii; array[N] int jj; array[N] int y; }
parameters { vector[I] theta; array[J] vector[3] beta; real<lower=0> sigma; }
model {
  for (j in 1:J) beta[j] ~ normal(0, 3);
  theta ~ normal(0, sigma); sigma ~ exponential(0.1);
  for (n in 1:N) target += pcm(y[n], theta[ii[n]], beta[jj[n]]);
}
