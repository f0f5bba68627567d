// N = 300; J = 30
// y ~ normal(N); t ~ uniform(N; 0, 24); j ~ levels(N; 30)
functions {
  real infusion(real t, real lag, real length, real ke, real v) {
    real u = t - lag;
    if (u <= 0) return 0;
    if (u < length) return (1 - exp(-ke * u)) / (ke * v);
    return (1 - exp(-ke * length)) * exp(-ke * (u - length)) / (ke * v);
  }
}
data { int N; int J; vector[N] y; vector[N] t; array[N] int j; }
parameters { vector[J] eta; real<lower=0, upper=4> lag; real<lower=0.5, upper=8> length; real<lower=0> ke; real<lower=0> v; real<lower=0> s; }
model {
  eta ~ normal(0, 0.3); lag ~ normal(1, 0.5); length ~ normal(3, 1); ke ~ lognormal(-1, 0.5); v ~ lognormal(0, 0.5); s ~ exponential(1);
  for (n in 1:N) y[n] ~ normal(infusion(t[n], lag, length, ke * exp(eta[j[n]]), v), s);
}
