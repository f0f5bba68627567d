// Arithmetic and functions of complex numbers.
transformed data {
  complex z = 3 + 4i;
  complex w = to_complex(1, -2);
  complex a = z + w - 1;
  complex b = z * w;
  complex c = z / w;
  complex d = -z;
  complex f = conj(z);
  real r = abs(z);
  complex s = sqrt(to_complex(-4, 0));
  if (get_real(a) != 3 || get_imag(a) != 2) {
    reject("sum: ", a);
  }
  if (get_real(b) != 11 || get_imag(b) != -2) {
    reject("product: ", b);
  }
  if (abs(c - to_complex(-1, 2)) > 1e-12 || abs(r - 5) > 1e-12) {
    reject("quotient: ", c);
  }
  if (get_imag(f) != -4 || get_real(d) != -3 || abs(s - 2i) > 1e-12) {
    reject("functions");
  }
  if (z == w || !(z == 3 + 4i) || !(z != w)) {
    reject("equality");
  }
}
