// N = 120; S = 25; P = 3
// Y ~ bernoulli(N, S; 0.4); X ~ normal(N, P)
data { int N; int S; int P; array[N, S] int Y; matrix[N, P] X; }
transformed data { int F = 2; }
parameters { matrix[P, S] B; matrix[N, F] U; vector[S * F - 1] l; vector<lower=0>[F] d; vector[S] a; }
model {
  matrix[F, S] L = rep_matrix(0, F, S);
  int k = 0;
  for (f in 1:F) {
    L[f, f] = d[f];
    for (s in (f + 1):S) { k += 1; L[f, s] = l[k]; }
  }
  to_vector(B) ~ normal(0, 1); to_vector(U) ~ std_normal(); l ~ std_normal(); d ~ normal(0, 1); a ~ normal(0, 1);
  matrix[N, S] eta = rep_matrix(a', N) + X * B + U * L;
  for (n in 1:N) Y[n] ~ bernoulli_logit(eta[n]);
}
