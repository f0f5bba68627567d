// The simulator is ordinary code: local variables, loops, calls.
functions {
  vector step_rng(vector x, real scale) {
    return to_vector(normal_rng(x, scale));
  }
}
data {
  int<lower=1> T;
  array[T] vector[2] y;
  array[T] int<lower=0> k;
}
parameters {
  real<lower=0> scale;
  simplex[3] p;
}
model {
  scale ~ exponential(1);
  y[1] ~ normal(0, scale);
  for (t in 2 : T) {
    y[t] ~ normal(y[t - 1], scale);
  }
  target += sum(k) * log(p[1]) + T * log1m(p[1]);
}
simulate {
  vector[2] at = rep_vector(0, 2);
  scale = exponential_rng(1);
  p = dirichlet_rng(rep_vector(1, 3));
  for (t in 1 : T) {
    at = step_rng(at, scale);
    y[t] = at;
    int count = 0;
    while (bernoulli_rng(p[1])) {
      count += 1;
    }
    k[t] = count;
  }
}
inference {
  diagnose sbc(nuts());
}
