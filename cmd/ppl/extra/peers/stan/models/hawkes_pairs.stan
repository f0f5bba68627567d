// N = 80
// t ~ grid(N; 0.1, 40)
data { int N; array[N] real t; }
parameters { real<lower=0> mu; real<lower=0, upper=1> alpha; real<lower=0> beta; }
model {
  mu ~ gamma(2, 2); alpha ~ beta(2, 4); beta ~ gamma(2, 1);
  for (i in 1:N) {
    real s = mu;
    for (j in 1:(i - 1)) s += alpha * beta * exp(-beta * (t[i] - t[j]));
    target += log(s);
    target += -alpha * (1 - exp(-beta * (t[N] - t[i])));
  }
  target += -mu * t[N];
}
