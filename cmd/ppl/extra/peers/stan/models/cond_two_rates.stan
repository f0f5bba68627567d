// S = 10; T = 100
// reward ~ bernoulli(S, T; 0.6); c ~ bernoulli(S, T; 0.5)
data { int S; int T; array[S, T] int reward; array[S, T] int c; }
parameters { vector[S] up; vector[S] down; vector<lower=0>[S] beta; }
model {
  up ~ normal(0, 1); down ~ normal(0, 1); beta ~ gamma(2, 1);
  for (s in 1:S) {
    real q = 0.5;
    for (t in 1:T) {
      real e;
      c[s, t] ~ bernoulli_logit(beta[s] * (q - 0.5));
      e = reward[s, t] - 0.2 * up[s] - q;
      if (e > 0) q += inv_logit(up[s]) * e;
      else q += inv_logit(down[s]) * e;
    }
  }
}
