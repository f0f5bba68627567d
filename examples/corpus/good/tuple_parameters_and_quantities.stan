// Tuples in every block, with constraints in their fields.
parameters {
  tuple(real<lower=0>, simplex[3]) p;
  array[2] tuple(real<lower=-1, upper=1>, vector<offset=1, multiplier=2>[2]) q;
}
transformed parameters {
  tuple(real<lower=0>, vector[3]) t = (2 * p.1, log(p.2));
}
model {
  p.1 ~ exponential(1);
  p.2 ~ dirichlet([1, 2, 3]');
  for (x in q) {
    x.2 ~ normal(0, 1);
  }
}
generated quantities {
  tuple(int<lower=0>, array[2] real) g = (poisson_rng(t.1), normal_rng({0, 0}, 1));
  array[2] tuple(real, int) h = {(q[1].1, 1), (q[2].1, 2)};
}
