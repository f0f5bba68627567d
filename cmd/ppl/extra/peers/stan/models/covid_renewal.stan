// Renewal equation of an epidemic in several countries, deaths observed.
data {
  int<lower=1> M, N, P;
  array[N, M] int deaths;
  array[M] matrix[N, P] X;
  array[M] vector[N] f;
  vector[N] SI;
}
transformed data {
  vector[N] SI_rev = reverse(SI);
  array[M] vector[N] f_rev;
  for (m in 1:M) f_rev[m] = reverse(f[m]);
}
parameters {
  vector<lower=0>[M] mu;
  vector[P] alpha;
  real<lower=0> kappa, phi, tau;
  vector<lower=0>[M] y;
}
transformed parameters {
  matrix[N, M] prediction = rep_matrix(0, N, M);
  matrix[N, M] E_deaths = rep_matrix(0, N, M);
  matrix[N, M] Rt;
  for (m in 1:M) {
    prediction[1:6, m] = rep_vector(y[m], 6);
    Rt[, m] = mu[m] * 2 * inv_logit(-X[m] * alpha);
    for (i in 7:N)
      prediction[i, m] = Rt[i, m]
        * dot_product(sub_col(prediction, 1, m, i - 1), tail(SI_rev, i - 1));
    E_deaths[1, m] = 1e-9;
    for (i in 2:N)
      E_deaths[i, m] = 1e-9 + dot_product(sub_col(prediction, 1, m, i - 1), tail(f_rev[m], i - 1));
  }
}
model {
  tau ~ exponential(0.03);
  y ~ exponential(inv(tau));
  phi ~ normal(0, 5);
  kappa ~ normal(0, 0.5);
  mu ~ normal(2.4, kappa);
  alpha ~ normal(0, 0.5);
  for (m in 1:M) deaths[31:N, m] ~ neg_binomial_2(E_deaths[31:N, m], phi);
}
