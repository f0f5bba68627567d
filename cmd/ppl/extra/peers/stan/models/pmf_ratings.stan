// N = 3000; I = 80; J = 60; D = 5
// ii ~ levels(N; I); jj ~ levels(N; J); r ~ uniform(N; 1, 5)
data { int N; int I; int J; int D; array[N] int ii; array[N] int jj; vector[N] r; }
parameters { matrix[I, D] U; matrix[J, D] V; vector[I] a; vector[J] b; real m; real<lower=0> s; real<lower=0> su; }
model {
  to_vector(U) ~ normal(0, su); to_vector(V) ~ normal(0, 1); a ~ normal(0, 1); b ~ normal(0, 1); su ~ normal(0, 1); s ~ normal(0, 1);
  for (n in 1:N) r[n] ~ normal(m + a[ii[n]] + b[jj[n]] + dot_product(U[ii[n]], V[jj[n]]), s);
}
