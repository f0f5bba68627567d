// N = 3000; I = 60; J = 45
// ii ~ levels(N; I); jj ~ levels(N; J); x ~ normal(N); y ~ normal(N)
data { int N; int I; int J; array[N] int ii; array[N] int jj; vector[N] x; vector[N] y; }
parameters { real mu; real b; vector[I] zi; vector[J] zj; real<lower=0> si; real<lower=0> sj; real<lower=0> s; }
model {
  zi ~ std_normal(); zj ~ std_normal(); si ~ normal(0, 1); sj ~ normal(0, 1); s ~ normal(0, 1);
  for (n in 1:N) y[n] ~ normal(mu + b * x[n] + si * zi[ii[n]] + sj * zj[jj[n]], s);
}
