// Imaginary numbers and the complex numbers built with them.
transformed data {
  complex z = 2 - 1.3i;
  complex w = 1i;
  complex u = -3.2e9 + 1e10i;
  if (get_real(z) != 2 || get_imag(z) != -1.3) {
    reject("z = ", z);
  }
  if (w * w != -1) {
    reject("w * w = ", w * w);
  }
  if (get_imag(u) != 1e10) {
    reject("u = ", u);
  }
}
