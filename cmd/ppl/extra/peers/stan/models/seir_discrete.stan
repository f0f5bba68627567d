// T = 120
// y ~ poisson(T; 20)
data { int T; array[T] int y; }
parameters { real<lower=0> beta0; real<lower=0, upper=1> red; real<lower=0, upper=1> sig; real<lower=0, upper=1> gam; real<lower=0> i0; real<lower=0> phi; }
model {
  real S = 10000 - i0;
  real E = 0;
  real I = i0;
  vector[T] inc;
  for (t in 1:T) {
    real b = t > 40 ? beta0 * red : beta0;
    real ne = fmin(S, b * S * I / 10000);
    real ni = sig * E;
    real nr = gam * I;
    S -= ne; E += ne - ni; I += ni - nr;
    inc[t] = ni + 1e-6;
  }
  beta0 ~ lognormal(-1, 0.5); red ~ beta(2, 2); sig ~ beta(2, 5); gam ~ beta(2, 5); i0 ~ exponential(0.1); phi ~ exponential(0.1);
  y ~ neg_binomial_2(inc, phi);
}
