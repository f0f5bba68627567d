// T = 500
// y ~ normal(T)
data { int T; vector[T] y; }
parameters { real mu; real omega; real alpha; real gam; real<lower=-1, upper=1> beta; }
model {
  real h = 0;
  mu ~ normal(0, 1); omega ~ normal(0, 1); alpha ~ normal(0, 1); gam ~ normal(0, 1);
  for (t in 1:T) {
    real z;
    y[t] ~ normal(mu, exp(h / 2));
    z = (y[t] - mu) / exp(h / 2);
    h = omega + alpha * (abs(z) - 0.8) + gam * z + beta * h;
  }
}
