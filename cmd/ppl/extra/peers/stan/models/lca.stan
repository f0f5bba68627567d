// N = 500; J = 12; C = 3
// y ~ bernoulli(N, J; 0.4)
data { int N; int J; int C; array[N, J] int y; }
parameters { simplex[C] pi; array[C] vector<lower=0, upper=1>[J] p; }
model {
  pi ~ dirichlet(rep_vector(2, C));
  for (c in 1:C) p[c] ~ beta(1, 1);
  for (n in 1:N) {
    vector[C] lp = log(pi);
    for (c in 1:C) lp[c] += bernoulli_lpmf(y[n] | p[c]);
    target += log_sum_exp(lp);
  }
}
