// J = 10; T = 6
// dt ~ uniform(J, T; 0.3, 1.5); y ~ normal(J, T, 2)
data { int J; int T; array[J, T] real dt; array[J, T] vector[2] y; }
parameters { vector<upper=0>[2] dg; vector[2] off; vector<lower=0>[2] q; vector<lower=0>[2] r; }
model {
  matrix[2, 2] A = [[dg[1], off[1]], [off[2], dg[2]]];
  dg ~ normal(-1, 0.5); off ~ normal(0, 0.5); q ~ normal(0, 1); r ~ normal(0, 1);
  for (j in 1:J) { vector[2] m = rep_vector(0, 2);
    for (t in 1:T) { m = matrix_exp(A * dt[j, t]) * m; y[j, t] ~ normal(m, q * dt[j, t] + r); m = 0.5 * (m + y[j, t]); } }
}
