// N = 400
// t ~ exponential(N); d ~ bernoulli(N; 0.7); x ~ normal(N)
functions {
  vector cumulative(vector t, real at, real h1, real h2) {
    int n = num_elements(t);
    vector[n] r;
    for (i in 1:n) { if (t[i] < at) r[i] = h1 * t[i]; else { real late = t[i] - at; r[i] = h1 * at + h2 * late; } }
    return r;
  }
}
data { int N; vector[N] t; array[N] int d; vector[N] x; }
parameters { real<lower=0, upper=3> at; real<lower=0> h1; real<lower=0> h2; real b; }
model {
  vector[N] H = cumulative(t, at, h1, h2);
  h1 ~ exponential(1); h2 ~ exponential(1); b ~ normal(0, 1);
  for (n in 1:N) target += d[n] * (log(t[n] < at ? h1 : h2) + b * x[n]) - H[n] * exp(b * x[n]);
}
