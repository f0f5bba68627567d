// A trend of pieces with seasons and holidays, as Prophet writes it.
functions {
  matrix changepoint_matrix(vector t, vector t_change, int T, int S) {
    matrix[T, S] A = rep_matrix(0, T, S);
    row_vector[S] row = rep_row_vector(0, S);
    int next = 1;
    for (i in 1:T) {
      while ((next <= S) && (t[i] >= t_change[next])) {
        row[next] = 1;
        next = next + 1;
      }
      A[i] = row;
    }
    return A;
  }
  vector linear_trend(real k, real m, vector delta, vector t, matrix A, vector t_change) {
    return (k + A * delta) .* t + (m + A * (-t_change .* delta));
  }
}
data {
  int T, K, S;
  vector[T] t, y;
  vector[S] t_change;
  matrix[T, K] X;
  vector[K] sigmas;
  real<lower=0> tau;
  vector[K] s_a, s_m;
}
transformed data {
  matrix[T, S] A = changepoint_matrix(t, t_change, T, S);
}
parameters {
  real k, m;
  vector[S] delta;
  real<lower=0> sigma_obs;
  vector[K] beta;
}
transformed parameters {
  vector[T] trend = linear_trend(k, m, delta, t, A, t_change);
}
model {
  k ~ normal(0, 5);
  m ~ normal(0, 5);
  delta ~ double_exponential(0, tau);
  sigma_obs ~ normal(0, 0.5);
  beta ~ normal(0, sigmas);
  y ~ normal(trend .* (1 + X * (beta .* s_m)) + X * (beta .* s_a), sigma_obs);
}
