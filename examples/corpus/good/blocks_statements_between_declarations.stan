// Declarations and statements may alternate in any block that has statements.
transformed data {
  int a = 3;
  a += 1;
  int b = a * 2;
  if (b != 8) {
    reject("b is ", b);
  }
  vector[b] v;
  v = rep_vector(0, b);
}
parameters {
  real x;
}
transformed parameters {
  real y;
  y = x + 1;
  real z = y * 2;
  z -= 1;
}
model {
  x ~ normal(0, 1);
  real w = z;
  target += -w * w;
}
