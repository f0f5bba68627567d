// N = 600; J = 40
// x ~ normal(N); g ~ levels(N; J); y ~ poisson(N; 6); expo ~ uniform(N; 0.5, 2)
data { int N; int J; vector[N] x; array[N] int<lower=1, upper=J> g; array[N] int<lower=0> y; vector[N] expo; }
parameters { vector[J] a; real mu; real b; real<lower=0> tau; real<lower=0> inv_phi; }
model {
  mu ~ normal(0, 2); b ~ normal(0, 1); tau ~ normal(0, 1); inv_phi ~ normal(0, 1);
  a ~ normal(mu, tau);
  for (i in 1:N)
    y[i] ~ neg_binomial_2_log(a[g[i]] + b * x[i] + log(expo[i]), 1 / inv_phi);
}
