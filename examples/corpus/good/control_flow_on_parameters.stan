// Conditions, loops and indices that depend on parameters.
functions {
  real soft(real x) {
    real y = x;
    int turns = 0;
    while (abs(y) > 1 && turns < 20) {
      y /= 2;
      turns += 1;
    }
    return y + turns;
  }
}
parameters {
  real x;
  vector[3] v;
}
transformed parameters {
  real y;
  if (x < 0) {
    y = -x;
  } else {
    y = x ^ 2;
  }
}
model {
  array[3] int order = sort_indices_asc(v);
  x ~ normal(0, 1);
  v ~ normal(0, 1);
  target += -square(v[order[1]] - y) - square(soft(5 * x));
  for (i in 1 : 3) {
    if (v[i] > x) {
      break;
    }
    target += -v[i] ^ 2;
  }
}
