// N = 64
// y ~ normal(N)
data { int N; vector[N] y; }
transformed data { vector[N] P; { complex_vector[N] f = fft(to_complex(y, 0)); for (n in 1:N) P[n] = (square(get_real(f[n])) + square(get_imag(f[n]))) / N; } }
parameters { real<lower=0> a; real<lower=0> l; real<lower=0> s; }
model {
  vector[N / 2 - 1] S;
  for (n in 1:(N / 2 - 1)) { real w = 2 * pi() * n / N; S[n] = square(s) + square(a) * l * exp(-0.5 * square(l * w)); }
  a ~ normal(0, 1); l ~ inv_gamma(3, 3); s ~ normal(0, 1);
  target += -sum(log(S)) - sum(P[2:(N / 2)] ./ S);
}
