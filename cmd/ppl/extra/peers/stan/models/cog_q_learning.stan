// N = 10; T = 80
// choice ~ levels(N, T; 2); outcome ~ normal(N, T)
data { int N; int T; array[N, T] int choice; array[N, T] real outcome; }
parameters { vector[2] mu; vector<lower=0>[2] s; vector[N] a_pr; vector[N] tau_pr; }
transformed parameters { vector<lower=0, upper=1>[N] A; vector<lower=0, upper=5>[N] tau; for (i in 1:N) { A[i] = Phi_approx(mu[1] + s[1] * a_pr[i]); tau[i] = Phi_approx(mu[2] + s[2] * tau_pr[i]) * 5; } }
model {
  mu ~ normal(0, 1); s ~ normal(0, 0.2); a_pr ~ normal(0, 1); tau_pr ~ normal(0, 1);
  for (i in 1:N) {
    vector[2] ev = rep_vector(0, 2); real PE;
    for (t in 1:T) {
      choice[i, t] ~ categorical_logit(tau[i] * ev);
      PE = outcome[i, t] - ev[choice[i, t]];
      ev[choice[i, t]] += A[i] * PE;
    }
  }
}
