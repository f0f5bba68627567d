// N = 300; J = 8
// t ~ exponential(N); event ~ bernoulli(N; 0.6); cut ~ grid(J; 0.3, 3); x ~ normal(N)
data { int N; int J; vector[N] t; array[N] int event; vector[J] cut; vector[N] x; }
parameters { vector[J] ll; real b; real<lower=0> s; }
model {
  ll[1] ~ normal(0, 1); for (j in 2:J) ll[j] ~ normal(ll[j - 1], s);
  s ~ normal(0, 1); b ~ normal(0, 1);
  for (i in 1:N) {
    real start = 0; real H = 0;
    for (j in 1:J) {
      if (t[i] > start) {
        real width = fmin(t[i], cut[j]) - start;
        H += exp(ll[j]) * width;
        if (t[i] <= cut[j] && event[i] == 1) target += ll[j] + b * x[i];
      }
      start = cut[j];
    }
    target += -H * exp(b * x[i]);
  }
}
