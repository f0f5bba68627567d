// N = 400
// gap ~ exponential(N)
data { int N; vector[N] gap; }
transformed data { real T = sum(gap); }
parameters { real<lower=0> mu; real<lower=0, upper=1> alpha; real<lower=0> beta; }
model {
  real A = 0;
  real t = 0;
  mu ~ gamma(2, 2); alpha ~ beta(2, 4); beta ~ gamma(2, 1);
  for (i in 1:N) {
    if (i > 1) A = exp(-beta * gap[i]) * (1 + A);
    t += gap[i];
    target += log(mu + alpha * beta * A) - alpha * (1 - exp(-beta * (T - t)));
  }
  target += -mu * T;
}
