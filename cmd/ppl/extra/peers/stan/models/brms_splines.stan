// Two smooth terms of a generalised additive model, in the way brms writes it.
data {
  int<lower=1> N, Ks, knots_1, knots_2;
  vector[N] Y;
  matrix[N, Ks] Xs;
  matrix[N, knots_1] Zs_1_1;
  matrix[N, knots_2] Zs_2_1;
}
parameters {
  real Intercept;
  vector[Ks] bs;
  vector[knots_1] zs_1_1;
  vector[knots_2] zs_2_1;
  real<lower=0> sds_1_1, sds_2_1, sigma;
  real<lower=1> nu;
}
transformed parameters {
  vector[knots_1] s_1_1 = sds_1_1 * zs_1_1;
  vector[knots_2] s_2_1 = sds_2_1 * zs_2_1;
}
model {
  vector[N] mu = rep_vector(0.0, N);
  mu += Intercept + Xs * bs + Zs_1_1 * s_1_1 + Zs_2_1 * s_2_1;
  target += student_t_lpdf(Y | nu, mu, sigma);
  bs ~ normal(0, 5);
  zs_1_1 ~ std_normal();
  zs_2_1 ~ std_normal();
  Intercept ~ student_t(3, 0, 2.5);
  sds_1_1 ~ student_t(3, 0, 2.5);
  sds_2_1 ~ student_t(3, 0, 2.5);
  sigma ~ student_t(3, 0, 2.5);
  nu ~ gamma(2, 0.1);
}
