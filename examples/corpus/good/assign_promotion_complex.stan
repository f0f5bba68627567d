// Promotion to complex numbers and complex containers.
transformed data {
  int n = 2;
  complex z = n;
  complex w = 1.5;
  array[2] complex a = {1, 2.5};
  vector[2] v = [1, 2]';
  complex_vector[2] cv = v;
  complex_matrix[1, 2] cm = [[1, 2]];
  cv[1] = 3;
  if (get_real(z) != 2 || get_imag(w) != 0 || get_real(a[2]) != 2.5) {
    reject("promotion");
  }
  if (get_real(cv[1]) != 3 || get_real(cm[1, 2]) != 2) {
    reject("promotion");
  }
}
