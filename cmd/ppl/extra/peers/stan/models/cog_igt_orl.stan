// N = 8; T = 60
// choice ~ levels(N, T; 4); gain ~ uniform(N, T; 0, 1); loss ~ uniform(N, T; -1.5, 0); sgn ~ normal(N, T)
data { int N; int T; array[N, T] int choice; array[N, T] real gain; array[N, T] real loss; array[N, T] real sgn; }
parameters { vector<lower=0, upper=1>[N] Arew; vector<lower=0, upper=1>[N] Apun; vector<lower=0, upper=5>[N] K; vector[N] bF; vector[N] bP; }
model {
  bF ~ normal(0, 1); bP ~ normal(0, 1);
  for (i in 1:N) {
    vector[4] ef = rep_vector(0, 4); vector[4] ev = rep_vector(0, 4); vector[4] pers = rep_vector(0, 4); vector[4] util = rep_vector(0, 4);
    real Kt = pow(3, K[i]) - 1; real PEval; real PEfreq; vector[4] PEfic;
    for (t in 1:T) {
      choice[i, t] ~ categorical_logit(util);
      PEval = gain[i, t] + loss[i, t] - ev[choice[i, t]];
      PEfreq = sgn[i, t] - ef[choice[i, t]];
      PEfic = -sgn[i, t] / 3.0 - ef;
      if (gain[i, t] + loss[i, t] >= 0) {
        ef += Apun[i] * PEfic; ef[choice[i, t]] = ef[choice[i, t]] + Arew[i] * PEfreq; ev[choice[i, t]] = ev[choice[i, t]] + Arew[i] * PEval;
      } else {
        ef += Arew[i] * PEfic; ef[choice[i, t]] = ef[choice[i, t]] + Apun[i] * PEfreq; ev[choice[i, t]] = ev[choice[i, t]] + Apun[i] * PEval;
      }
      pers[choice[i, t]] = 1; pers /= (1 + Kt);
      util = ev + ef * bF[i] + pers * bP[i];
    }
  }
}
