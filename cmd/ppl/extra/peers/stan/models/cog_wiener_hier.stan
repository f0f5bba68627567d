// N = 300; J = 10
// y ~ uniform(N; 0.4, 1.5); subj ~ levels(N; J)
data { int N; int J; vector[N] y; array[N] int subj; }
parameters { vector<lower=0.5>[J] a; real<lower=0, upper=0.3> t0; real<lower=0.1, upper=0.9> w; vector[J] v; }
model { a ~ normal(1.5, 0.5); v ~ normal(0, 1); w ~ beta(5, 5); for (n in 1:N) y[n] ~ wiener(a[subj[n]], t0, w, v[subj[n]]); }
