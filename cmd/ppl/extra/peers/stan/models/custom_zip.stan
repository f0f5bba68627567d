// N = 500
// x ~ normal(N); y ~ poisson(N; 2)
functions {
  real zip_lpmf(int y, real lambda, real theta) {
    if (y == 0) return log_sum_exp(bernoulli_lpmf(1 | theta), bernoulli_lpmf(0 | theta) + poisson_lpmf(0 | lambda));
    return bernoulli_lpmf(0 | theta) + poisson_lpmf(y | lambda);
  }
}
data { int N; vector[N] x; array[N] int y; }
parameters { real a; real b; real c; real e; }
model { a ~ normal(0, 1); b ~ normal(0, 1); c ~ normal(0, 1); e ~ normal(0, 1); for (n in 1:N) y[n] ~ zip(exp(a + b * x[n]), inv_logit(c + e * x[n])); }
