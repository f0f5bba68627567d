// Every kind of statement.
functions {
  real half_lpdf(real x, real s) {
    return normal_lupdf(x | 0, s);
  }
  real half_lcdf(real x, real s) {
    return normal_lcdf(x | 0, s);
  }
  real half_lccdf(real x, real s) {
    return normal_lccdf(x | 0, s);
  }
  void note(real x) {
    print("x = ", x);
    return;
  }
  real shift_jacobian(real x) {
    jacobian += x;
    return exp(x);
  }
  real noise_rng(real s) {
    return normal_rng(0, s);
  }
  tuple(real, tuple(int, vector)) three(vector v) {
    return (v[1], (2, v));
  }
}
transformed data {
  int n = 3;
  array[3] int counts = {0, 1, 2};
}
parameters {
  real x;
  real<lower=0> s;
  array[2] simplex[3] theta;
}
transformed parameters {
  real lifted = shift_jacobian(x);
}
model {
  vector[3] v;
  matrix[2, 2] m = rep_matrix(0, 2, 2);
  tuple(real, array[2] vector[2]) t;
  real a;
  int i;
  (a, (i, v)) = three(theta[1]);
  m[1] = [1, 2];
  m[1, 2] += a;
  m[ : , 1] = m[ : , 2];
  t.2[1][2] = s;
  v ./= 2;
  for (k in 1 : n) {
    if (k == 2) {
      continue;
    } else if (v[k] > 3) {
      break;
    }
    v[k] = k;
  }
  for (e in v) {
    target += -e ^ 2;
  }
  while (i < 4) i += 1;
  profile("likelihood") {
    x ~ normal(0, s) T[-1, 4];
    s ~ half(2) T[0, ];
    s ~ half(2) T[ , 9];
    counts[2] ~ poisson(s) T[1, ];
    theta[2] ~ dirichlet([1, 1, 1]');
  }
  {
    real inner = 1;
    note(inner);
    if (x > 1000) reject("far: ", x);
    if (x > 2000) fatal_error("farther");
  }
}
generated quantities {
  real y = noise_rng(s);
}
