// N = 400; J = 6
// x ~ normal(N, J); y ~ levels(N; 6)
data { int N; int J; array[N] vector[J] x; array[N] int y; }
transformed data { array[6] int nest = {1, 1, 2, 2, 3, 3}; }
parameters { vector[J - 1] asc; real b; vector<lower=0, upper=1>[3] lambda; }
model {
  vector[J] a = append_row(0, asc);
  asc ~ normal(0, 2); b ~ normal(0, 2); lambda ~ beta(2, 2);
  for (n in 1:N) {
    vector[J] v = a + b * x[n];
    vector[3] iv;
    for (k in 1:3) iv[k] = log_sum_exp(v[2 * k - 1] / lambda[k], v[2 * k] / lambda[k]);
    target += v[y[n]] / lambda[nest[y[n]]] - iv[nest[y[n]]];
    target += lambda[nest[y[n]]] * iv[nest[y[n]]] - log_sum_exp(lambda .* iv);
  }
}
