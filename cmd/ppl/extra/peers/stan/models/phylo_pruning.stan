// L = 100; nodes = 9
// tips ~ levels(L, 5; 4)
data { int L; int nodes; array[L, 5] int tips; }
parameters { vector<lower=0>[8] t; real<lower=0> kappa; simplex[4] pi_; }
model {
  matrix[4, 4] Q; array[8] matrix[4, 4] P;
  t ~ exponential(5); kappa ~ lognormal(1, 1);
  for (i in 1:4) { for (j in 1:4) Q[i, j] = ((i + j == 4 && i != j) || (i + j == 6 && i != j) ? kappa : 1) * pi_[j]; Q[i, i] = 0; Q[i, i] = -sum(Q[i]); }
  for (b in 1:8) P[b] = matrix_exp(t[b] * Q);
  for (l in 1:L) {
    vector[4] a = P[1][, tips[l, 1]] .* P[2][, tips[l, 2]];
    vector[4] c = (P[3] * a) .* P[4][, tips[l, 3]];
    vector[4] d = P[5][, tips[l, 4]] .* P[6][, tips[l, 5]];
    target += log(dot_product(pi_, (P[7] * c) .* (P[8] * d)));
  }
}
