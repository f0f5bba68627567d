// S = 30; T = 80
// choice ~ levels(S, T; 4); reward ~ normal(S, T)
data { int S; int T; array[S, T] int choice; array[S, T] real reward; }
parameters { real mu_a; real mu_b; real<lower=0> sd_a; real<lower=0> sd_b; vector[S] za; vector[S] zb; }
model {
  mu_a ~ normal(0, 1); mu_b ~ normal(0, 1); sd_a ~ normal(0, 1); sd_b ~ normal(0, 1); za ~ std_normal(); zb ~ std_normal();
  for (s in 1:S) {
    vector[4] Q = rep_vector(0, 4);
    real alpha = Phi_approx(mu_a + sd_a * za[s]);
    real beta = exp(mu_b + sd_b * zb[s]);
    for (t in 1:T) {
      choice[s, t] ~ categorical_logit(beta * Q);
      Q[choice[s, t]] += alpha * (reward[s, t] - Q[choice[s, t]]);
    }
  }
}
