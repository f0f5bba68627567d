// nind = 200; T = 8
// y ~ bernoulli(nind, T; 0.4)
functions {
  int first_capture(array[] int y) { for (k in 1:size(y)) if (y[k]) return k; return 0; }
  int last_capture(array[] int y) { for (k in 0:(size(y) - 1)) { int j = size(y) - k; if (y[j]) return j; } return 0; }
}
data { int nind; int T; array[nind, T] int<lower=0, upper=1> y; }
transformed data { array[nind] int first; array[nind] int last; for (i in 1:nind) first[i] = first_capture(y[i]); for (i in 1:nind) last[i] = last_capture(y[i]); }
parameters { vector<lower=0, upper=1>[T - 1] phi; vector<lower=0, upper=1>[T] p; }
transformed parameters {
  vector[T] chi; chi[T] = 1;
  for (t in 1:(T - 1)) { int cur = T - t; chi[cur] = (1 - phi[cur]) + phi[cur] * (1 - p[cur + 1]) * chi[cur + 1]; }
}
model {
  for (i in 1:nind) if (first[i] > 0) {
    for (t in (first[i] + 1):last[i]) { 1 ~ bernoulli(phi[t - 1]); y[i, t] ~ bernoulli(p[t]); }
    1 ~ bernoulli(chi[last[i]]);
  }
}
