// S = 20; T = 60
// c1 ~ levels(S, T; 2); c2 ~ levels(S, T; 2); st ~ levels(S, T; 2); r ~ bernoulli(S, T; 0.5)
data { int S; int T; array[S, T] int c1; array[S, T] int c2; array[S, T] int st; array[S, T] int r; }
parameters { vector<lower=0, upper=1>[S] a; vector<lower=0, upper=1>[S] w; vector<lower=0>[S] b; vector[S] p; }
model {
  a ~ beta(2, 2); w ~ beta(2, 2); b ~ gamma(2, 1); p ~ normal(0, 1);
  for (s in 1:S) {
    vector[2] qmf = rep_vector(0, 2);
    matrix[2, 2] q2 = rep_matrix(0, 2, 2);
    int prev = 0;
    for (t in 1:T) {
      vector[2] qmb;
      vector[2] q;
      qmb[1] = 0.7 * max(q2[1]) + 0.3 * max(q2[2]);
      qmb[2] = 0.3 * max(q2[1]) + 0.7 * max(q2[2]);
      q = w[s] * qmb + (1 - w[s]) * qmf;
      if (prev > 0) q[prev] += p[s];
      target += categorical_logit_lpmf(c1[s, t] | b[s] * q);
      target += categorical_logit_lpmf(c2[s, t] | b[s] * q2[st[s, t]]');
      qmf[c1[s, t]] += a[s] * (q2[st[s, t], c2[s, t]] - qmf[c1[s, t]]);
      q2[st[s, t], c2[s, t]] += a[s] * (r[s, t] - q2[st[s, t], c2[s, t]]);
      prev = c1[s, t];
    }
  }
}
