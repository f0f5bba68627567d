// Conditions on data choose rounds; those on parameters stay.
data {
  int N;
  vector[N] x;
  vector[N] y;
  array[N] int<lower=0, upper=1> cens;
}
parameters {
  real a;
  real b;
  real<lower=0> s;
}
model {
  for (n in 1:N) {
    real m = x[n] > 0 ? a : b * x[n];
    if (cens[n] == 1 && n > 1)
      target += normal_lccdf(y[n] | m, s);
    else
      y[n] ~ normal(m, s);
    if (y[n] > m)
      target += -m;
    if (y[n] > 1000)
      reject("too large: ", y[n]);
  }
}
