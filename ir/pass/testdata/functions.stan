// Functions of the user's are written out where no loop is left then.
functions {
  real zero_inflated_lpmf(int k, real q, real eta) {
    if (k == 0)
      return log_mix(q, 0, poisson_log_lpmf(0 | eta));
    return log1m(q) + poisson_log_lpmf(k | eta);
  }
  real rows_lpdf(vector y, array[] int cens, vector m, real s) {
    real sum = 0;
    for (n in 1:size(y)) {
      if (cens[n])
        sum += normal_lccdf(y[n] | m[n], s);
      else
        sum += normal_lpdf(y[n] | m[n], s);
    }
    return sum;
  }
  real sequential(vector y, real a) {
    real last = 0;
    for (n in 1:size(y))
      last = a * last + y[n];
    return last;
  }
}
data {
  int N;
  array[N] int k;
  vector[N] x;
  array[N] int<lower=0, upper=1> cens;
}
parameters {
  real<lower=0, upper=1> q;
  real a;
  real<lower=0> s;
}
model {
  for (n in 1:N)
    k[n] ~ zero_inflated(q, a * x[n]);
  x ~ rows(cens, a * x, s);
  target += sequential(x, a);
}
