// Ints, reals and complex numbers meet in operators, literals, conditionals.
transformed data {
  complex z = 2;
  complex w = 1 ? 3 : 2i;
  array[3] complex a = {1, 2.5, 3i};
  complex_row_vector[2] r = [1, 2i];
  real x = get_real(z * w) + get_imag(a[3]);
  int same = z == 2;
  int differ = w != 3 + 1i;
  complex_vector[2] v = to_complex([1, 2]', [3, 4]');
  vector[2] re = get_real(v);
  z += 1;
  z *= 1i;
  if (x != 9 || same != 1 || differ != 1 || get_imag(z) != 3 || get_imag(r[2]) != 2) {
    reject("complex conversions");
  }
  if (re[2] != 2 || get_imag(v)[1] != 3) {
    reject("complex conversions");
  }
}
