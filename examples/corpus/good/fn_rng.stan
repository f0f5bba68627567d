// Functions in _rng may draw random numbers.
functions {
  real mixture_rng(real p, real a, real b) {
    if (bernoulli_rng(p)) {
      return normal_rng(a, 1);
    }
    return normal_rng(b, 1);
  }
  array[] real walk_rng(int n) {
    array[n] real x;
    real at = 0;
    for (i in 1 : n) {
      at += mixture_rng(0.5, -1, 1);
      x[i] = at;
    }
    return x;
  }
}
transformed data {
  array[5] real y = walk_rng(5);
}
parameters {
  real<lower=0, upper=1> p;
}
generated quantities {
  real x = mixture_rng(p, 0, 10);
  array[3] int k = bernoulli_rng(rep_vector(p, 3));
  vector[2] v = dirichlet_rng([1, p]')[1 : 2];
}
