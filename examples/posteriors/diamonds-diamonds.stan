// Diamond prices: a linear model over centred predictors, with a generalised
// linear model density for speed.
data {
  int<lower=1> N; // observations
  vector[N] Y;
  int<lower=1> K; // columns of the design matrix, the first all ones
  matrix[N, K] X;
  int prior_only; // leave the likelihood out?
}
transformed data {
  int Kc = K - 1;
  matrix[N, Kc] Xc; // X without the column of ones, centred
  vector[Kc] means_X;
  for (i in 2 : K) {
    means_X[i - 1] = mean(X[ : , i]);
    Xc[ : , i - 1] = X[ : , i] - means_X[i - 1];
  }
}
parameters {
  vector[Kc] b;
  real Intercept; // at the mean of the predictors
  real<lower=0> sigma;
}
model {
  target += normal_lpdf(b | 0, 1);
  target += student_t_lpdf(Intercept | 3, 8, 10);
  target += student_t_lpdf(sigma | 3, 0, 10)
            - student_t_lccdf(0 | 3, 0, 10); // half Student t
  if (!prior_only) {
    target += normal_id_glm_lpdf(Y | Xc, Intercept, b, sigma);
  }
}
