// The scalar types in all blocks.
data {
  int n;
  real x;
  complex z;
}
transformed data {
  int n2 = n;
  real x2 = n;
  complex z2 = x;
}
parameters {
  real a;
  complex c;
}
transformed parameters {
  real b = a + x2;
  complex d = c * z2 + n2;
}
model {
  a ~ normal(0, 1);
  get_real(c) ~ normal(0, 1);
  get_imag(c) ~ normal(0, 1);
}
generated quantities {
  int k = n + 1;
  real y = b;
  complex w = d + z;
}
