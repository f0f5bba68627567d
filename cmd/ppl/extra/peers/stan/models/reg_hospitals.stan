// N = 12
// n ~ counts(N; 50, 800); r ~ counts(N; 1, 40)
data { int N; array[N] int n; array[N] int r; }
parameters { real mu; real<lower=0> sigma2; array[N] real b; }
transformed parameters { real<lower=0> sigma; array[N] real<lower=0, upper=1> p; sigma = sqrt(sigma2); for (i in 1:N) p[i] = inv_logit(b[i]); }
model { mu ~ normal(0, 1000); sigma2 ~ inv_gamma(0.001, 0.001); b ~ normal(mu, sigma); r ~ binomial_logit(n, b); }
