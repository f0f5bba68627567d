// T = 110; re = 0.5; rl = 0.5
// D ~ poisson(T; 2)
data { int T; array[T] int D; real re; real rl; }
transformed data { real log_unif = -log(T); }
parameters { real<lower=0> e; real<lower=0> l; }
transformed parameters {
  vector[T] lp = rep_vector(log_unif, T);
  for (s in 1:T) for (t in 1:T) lp[s] = lp[s] + poisson_lpmf(D[t] | t < s ? e : l);
}
model { e ~ exponential(re); l ~ exponential(rl); target += log_sum_exp(lp); }
