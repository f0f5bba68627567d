// N = 900; J = 30; K = 6
// g ~ levels(N; J); h ~ levels(J; K); y ~ poisson(N; 4); x ~ normal(N)
data { int N; int J; int K; array[N] int g; array[J] int h; array[N] int y; vector[N] x; }
parameters { vector[J] a; vector[K] m; vector[J] b; real mu; real<lower=0> s1; real<lower=0> s2; real<lower=0> sb; real mb; }
model {
  for (k in 1:K) m[k] ~ normal(mu, s2);
  for (j in 1:J) { a[j] ~ normal(m[h[j]], s1); b[j] ~ normal(mb, sb); }
  s1 ~ exponential(1); s2 ~ exponential(1); sb ~ exponential(1);
  y ~ poisson_log(a[g] + b[g] .* x);
}
