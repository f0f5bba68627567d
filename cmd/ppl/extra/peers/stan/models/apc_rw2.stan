// A = 16; P = 14
// y ~ poisson(A, P; 30); pop ~ uniform(A, P; 900, 1100)
data { int A; int P; array[A, P] int y; matrix[A, P] pop; }
transformed data { int C = A + P - 1; }
parameters { vector[A] al; vector[P] be; vector[C] ga; vector<lower=0>[3] tau; real mu; }
model {
  al[3:A] ~ normal(2 * al[2:(A - 1)] - al[1:(A - 2)], tau[1]);
  be[3:P] ~ normal(2 * be[2:(P - 1)] - be[1:(P - 2)], tau[2]);
  for (c in 3:C) ga[c] ~ normal(2 * ga[c - 1] - ga[c - 2], tau[3]);
  al[1:2] ~ normal(0, 1); be[1:2] ~ normal(0, 1); ga[1:2] ~ normal(0, 1);
  sum(al) ~ normal(0, 0.001 * A); sum(be) ~ normal(0, 0.001 * P);
  tau ~ normal(0, 0.5); mu ~ normal(-3, 2);
  for (a in 1:A) for (p in 1:P) y[a, p] ~ poisson_log(log(pop[a, p]) + mu + al[a] + be[p] + ga[A - a + p]);
}
