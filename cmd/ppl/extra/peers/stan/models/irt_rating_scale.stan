// I = 8; J = 120; N = 960; m = 3
// ii ~ levels(N; I); jj ~ levels(N; J); y ~ counts(N; 0, 3)
functions {
  real rsm(int y, real theta, real beta, vector kappa) {
    vector[rows(kappa) + 1] unsummed = append_row(rep_vector(0, 1), theta - beta - kappa);
    vector[rows(kappa) + 1] probs = softmax(cumulative_sum(unsummed));
    return categorical_lpmf(y + 1 | probs);
  }
}
data { int I; int J; int N; int m; array[N] int ii; array[N] int jj; array[N] int y; }
parameters { vector[I] beta; vector[m] kappa; vector[J] theta; real<lower=0> s; }
model { beta ~ normal(0, 3); kappa ~ normal(0, 3); theta ~ normal(0, s); s ~ exponential(.1); for (n in 1:N) target += rsm(y[n], theta[jj[n]], beta[ii[n]], kappa); }
