// Two factors that move as autoregressions behind eight series.
data {
  int<lower=1> T, P, K;
  matrix[T, P] y;
}
parameters {
  matrix[T, K] innovations;
  vector<lower=-1, upper=1>[K] rho;
  matrix[P, K] loadings;
  vector<lower=0>[P] sigma;
}
transformed parameters {
  matrix[T, K] f;
  f[1] = innovations[1];
  for (t in 2:T) f[t] = f[t - 1] .* rho' + innovations[t];
}
model {
  to_vector(innovations) ~ std_normal();
  to_vector(loadings) ~ normal(0, 1);
  sigma ~ normal(0, 1);
  for (t in 1:T)
    for (p in 1:P)
      y[t, p] ~ normal(f[t] * loadings[p]', sigma[p]);
}
