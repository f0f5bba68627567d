// T = 365; K = 6
// t ~ grid(T; 0, 1); y ~ poisson(T; 20)
data { int T; int K; vector[T] t; array[T] int y; }
parameters { real a; vector[K] bs; vector[K] bc; real<lower=0> s; real<lower=0> phi; }
model {
  vector[T] eta = rep_vector(a, T);
  for (k in 1:K) eta += bs[k] * sin(2 * pi() * k * t) + bc[k] * cos(2 * pi() * k * t);
  bs ~ normal(0, s); bc ~ normal(0, s); s ~ normal(0, 1); phi ~ gamma(2, 0.1);
  y ~ neg_binomial_2_log(eta, phi);
}
