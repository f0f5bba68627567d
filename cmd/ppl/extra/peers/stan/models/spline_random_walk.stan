// N = 400; K = 20
// B ~ uniform(N, K; 0, 1); y ~ normal(N)
data { int N; int K; matrix[N, K] B; vector[N] y; }
parameters { row_vector[K] a_raw; real a0; real<lower=0> sigma; real<lower=0> tau; }
transformed parameters { row_vector[K] a; a[1] = a_raw[1]; for (i in 2:K) a[i] = a[i - 1] + a_raw[i] * tau; }
model { a_raw ~ normal(0, 1); a0 ~ normal(0, 1); tau ~ normal(0, 1); sigma ~ normal(0, 1); y ~ normal(a0 + to_vector(a * B'), sigma); }
