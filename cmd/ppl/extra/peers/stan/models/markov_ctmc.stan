// N = 200; S = 4
// from_ ~ levels(N; S); to_ ~ levels(N; S); dt ~ levels(N; 5)
data { int N; int S; array[N] int from_; array[N] int to_; array[N] int dt; }
parameters { vector<lower=0>[S * (S - 1)] q; }
model {
  matrix[S, S] Q = rep_matrix(0, S, S); int c = 1; array[5] matrix[S, S] P;
  q ~ exponential(1);
  for (i in 1:S) for (j in 1:S) if (i != j) { Q[i, j] = q[c]; Q[i, i] -= q[c]; c += 1; }
  for (d in 1:5) P[d] = matrix_exp(d * Q);
  for (n in 1:N) target += log(P[dt[n]][from_[n], to_[n]]);
}
