// N = 40; T = 9
// t ~ uniform(N, T; 0.2, 24); y ~ lognormal(N, T; 0, 0.5)
data { int N; int T; matrix[N, T] t; matrix[N, T] y; }
parameters { vector[4] mu; vector<lower=0>[4] om; matrix[N, 4] z; real<lower=0> s; }
model {
  mu ~ normal(0, 1); om ~ normal(0, 0.5); to_vector(z) ~ std_normal(); s ~ normal(0, 0.5);
  for (n in 1:N) {
    real CL = exp(mu[1] + om[1] * z[n, 1]);
    real V1 = exp(mu[2] + om[2] * z[n, 2]);
    real Q = exp(mu[3] + om[3] * z[n, 3]);
    real V2 = exp(mu[4] + om[4] * z[n, 4]);
    real k10 = CL / V1;
    real k12 = Q / V1;
    real k21 = Q / V2;
    real b = k10 + k12 + k21;
    real root = sqrt(b * b - 4 * k10 * k21);
    real lam1 = (b + root) / 2;
    real lam2 = (b - root) / 2;
    row_vector[T] conc = (10 / V1) * ((lam1 - k21) * exp(-lam1 * t[n]) - (lam2 - k21) * exp(-lam2 * t[n])) / (lam1 - lam2);
    y[n] ~ lognormal(log(conc), s);
  }
}
