// Susceptible, infected, recovered: influenza in a boarding school, counts in bed, by the stiff solver.
functions {
  vector sir(real t, vector y, real beta, real gamma, real N) {
    vector[3] dy;
    dy[1] = -beta * y[1] * y[2] / N;
    dy[2] = beta * y[1] * y[2] / N - gamma * y[2];
    dy[3] = gamma * y[2];
    return dy;
  }
}
data {
  int<lower=1> T;
  array[T] real ts;
  real N;
  vector[3] y0;
  array[T] int cases;
}
parameters {
  real<lower=0> gamma, beta, phi_inv;
}
transformed parameters {
  array[T] vector[3] y = ode_bdf(sir, y0, 0, ts, beta, gamma, N);
}
model {
  beta ~ normal(2, 1);
  gamma ~ normal(0.4, 0.5);
  phi_inv ~ exponential(5);
  cases ~ neg_binomial_2(y[, 2], inv(phi_inv));
}
