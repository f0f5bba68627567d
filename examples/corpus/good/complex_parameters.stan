// Complex parameters: two real ones each.
parameters {
  complex z;
  complex_vector[2] v;
}
transformed parameters {
  complex w = z * v[1] + v[2];
}
model {
  get_real(z) ~ normal(0, 1);
  get_imag(z) ~ normal(0, 1);
  get_real(v) ~ normal(0, 1);
  get_imag(v) ~ normal(0, 1);
  target += -square(abs(w));
}
