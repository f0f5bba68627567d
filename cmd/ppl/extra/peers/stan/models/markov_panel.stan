// States of patients seen at irregular times: a Markov process by matrix exponentials.
data {
  int<lower=1> N;
  array[N] int<lower=1, upper=3> from, to;
  vector<lower=0>[N] dt;
  vector[N] x;
}
parameters {
  vector[4] log_q;
  vector[4] beta;
}
model {
  log_q ~ normal(-1, 1);
  beta ~ normal(0, 1);
  for (n in 1:N) {
    vector[4] q = exp(log_q + beta * x[n]);
    matrix[3, 3] Q = rep_matrix(0, 3, 3);
    Q[1, 2] = q[1];
    Q[2, 1] = q[2];
    Q[2, 3] = q[3];
    Q[1, 3] = q[4];
    Q[1, 1] = -q[1] - q[4];
    Q[2, 2] = -q[2] - q[3];
    matrix[3, 3] P = matrix_exp(dt[n] * Q);
    target += log(P[from[n], to[n]]);
  }
}
