// N = 2000; S = 50; A = 4; E = 5
// st ~ levels(N; S); age ~ levels(N; A); edu ~ levels(N; E); fem ~ bernoulli(N; 0.5); y ~ bernoulli(N; 0.5); v ~ normal(S); reg ~ levels(S; 4)
data { int N; int S; int A; int E; array[N] int st; array[N] int age; array[N] int edu; vector[N] fem; array[N] int y; vector[S] v; array[S] int reg; }
parameters { real b0; real bf; real bv; vector[S] as; vector[A] aa; vector[E] ae; matrix[A, E] aae; vector[4] ar; real<lower=0> ss; real<lower=0> sa; real<lower=0> se; real<lower=0> sae; real<lower=0> sr; }
model {
  vector[S] mean_s = ar[reg] + bv * v;
  as ~ normal(mean_s, ss); aa ~ normal(0, sa); ae ~ normal(0, se); to_vector(aae) ~ normal(0, sae); ar ~ normal(0, sr);
  ss ~ normal(0, 1); sa ~ normal(0, 1); se ~ normal(0, 1); sae ~ normal(0, 1); sr ~ normal(0, 1);
  for (i in 1:N) y[i] ~ bernoulli_logit(b0 + bf * fem[i] + as[st[i]] + aa[age[i]] + ae[edu[i]] + aae[age[i], edu[i]]);
}
