// N = 300
// x ~ normal(N); y ~ counts(N; 1, 9)
data { int N; vector[N] x; array[N] int y; }
parameters { real a; real b; }
model { a ~ normal(0, 2); b ~ normal(0, 1); for (n in 1:N) y[n] ~ poisson(exp(a + b * x[n])) T[1, ]; }
