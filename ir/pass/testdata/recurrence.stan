// A recurrence keeps its loop; what surrounds it leaves.
data {
  int T;
  vector[T] y;
}
parameters {
  real mu;
  real<lower=0> a0;
  real<lower=0, upper=1> a1;
  real<lower=0, upper=1> b1;
}
model {
  vector[T] s;
  s[1] = a0;
  for (t in 2:T) {
    real e = y[t - 1] - mu;
    s[t] = sqrt(a0 + a1 * square(e) + b1 * square(s[t - 1]));
    y[t] ~ normal(mu, s[t]);
    target += s[t - 1];
  }
}
