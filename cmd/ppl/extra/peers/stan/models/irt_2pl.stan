// Item response with two parameters an item, a table of persons and items in long form.
data {
  int<lower=1> I, J, N;
  array[N] int<lower=1, upper=I> ii;
  array[N] int<lower=1, upper=J> jj;
  array[N] int<lower=0, upper=1> y;
}
parameters {
  vector<lower=0>[I] a;
  vector[I] b;
  vector[J] theta;
  real mu_b;
  real<lower=0> sigma_b;
}
model {
  a ~ lognormal(0.5, 1);
  b ~ normal(mu_b, sigma_b);
  mu_b ~ normal(0, 5);
  sigma_b ~ cauchy(0, 2);
  theta ~ normal(0, 1);
  y ~ bernoulli_logit(a[ii] .* (theta[jj] - b[ii]));
}
