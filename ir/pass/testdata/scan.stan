// Loops whose rounds are alike, and ones in which they are not known to be.
functions {
  vector smooth(vector y, real a) {
    vector[rows(y)] s;
    s[1] = y[1];
    for (t in 2 : rows(y)) s[t] = a * y[t] + (1 - a) * s[t - 1];
    return s;
  }
}
data {
  int T; int K;
  vector[T] y;
  array[T] int c;
}
parameters {
  array[K] simplex[K] theta; ordered[K] mu;
  vector[2] phi; real<lower=0, upper=1> a;
}
transformed parameters {
  vector[T] x = y;
  for (t in 3 : T) {
    x[t] = 0.1;
    for (k in 1 : 2) x[t] += phi[k] * x[t - k];
  }
}
model {
  vector[K] gamma = rep_vector(0, K);
  vector[T] z = smooth(y, a);
  real m = 0;
  for (t in 2 : T) {
    vector[K] next;
    for (k in 1 : K) {
      vector[K] from;
      for (j in 1 : K) from[j] = gamma[j] + log(theta[j, k]);
      next[k] = log_sum_exp(from) + normal_lpdf(y[t] | mu[k], 1);
    }
    gamma = next;
  }
  target += log_sum_exp(gamma);
  for (t in 2 : T) z[t] = z[c[t]] + z[t - 1];          // a lag from data
  for (t in 2 : T - 1) z[t + 1] = z[t] + x[t];         // written ahead
  for (t in 3 : T) z[t] = z[t - 1] + z[1];             // a part that no round writes
  for (t in 2 : T) z[T - t + 1] = z[T - t + 2] + x[t]; // backwards
  for (t in 1 : T) m = fmax(m, z[t]);
  for (t in 1 : T) { m += z[t]; print(m); }
}
generated quantities {
  vector[T] w;
  for (t in 1 : T) w[t] = normal_rng(y[t], a);         // handing on a stream of random numbers
  for (t in 1 : T) w[t] = y[t];
  int n = 0;
  for (t in 1 : T) { n += poisson_rng(a); w[t] += n; } // not known before the loop
}
