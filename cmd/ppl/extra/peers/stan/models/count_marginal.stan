// m = 5; nmax = 500
// k ~ counts(m; 10, 40)
data { int m; int nmax; array[m] int k; }
transformed data { int nmin = max(k); }
parameters { real<lower=0, upper=1> theta; }
transformed parameters {
  vector[nmax] lp_parts;
  for (n in 1:nmax)
    if (n < nmin) lp_parts[n] = log(1.0 / nmax) + negative_infinity();
    else lp_parts[n] = log(1.0 / nmax) + binomial_lpmf(k | n, theta);
}
model { target += log_sum_exp(lp_parts); }
