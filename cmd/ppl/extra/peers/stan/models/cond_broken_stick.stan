// N = 500; J = 20
// y ~ normal(N); x ~ uniform(N; 0, 10); g ~ levels(N; 20)
data { int N; int J; vector[N] y; vector[N] x; array[N] int g; }
parameters { vector<lower=0, upper=10>[J] k; real a; vector[J] b1; vector[J] b2; real<lower=0> s; }
model {
  k ~ normal(5, 2); a ~ normal(0, 1); b1 ~ normal(0, 1); b2 ~ normal(0, 1); s ~ exponential(1);
  for (n in 1:N) {
    real mu;
    if (x[n] < k[g[n]]) mu = a + b1[g[n]] * (x[n] - k[g[n]]);
    else mu = a + b2[g[n]] * (x[n] - k[g[n]]);
    y[n] ~ normal(mu, s);
  }
}
