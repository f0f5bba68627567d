// N = 200; K = 40
// x ~ normal(N, K); y ~ normal(N)
data { int N; int K; matrix[N, K] x; vector[N] y; }
parameters { real a; vector[K] b; real<lower=0> lambda; real<lower=0> s; }
model { lambda ~ cauchy(0, 1); b ~ double_exponential(0, s / lambda); s ~ cauchy(0, 5); y ~ normal(a + x * b, s); }
