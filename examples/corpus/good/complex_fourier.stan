// Fourier transforms and complex eigenvalues.
transformed data {
  complex_vector[4] x = [1, 2, 3, 4]';
  complex_vector[4] y = fft(x);
  complex_vector[4] back = inv_fft(y);
  complex_matrix[2, 2] m = fft2(to_complex([[1, 2], [3, 4]], 0));
  complex_vector[2] e = eigenvalues([[0, -1], [1, 0]]);
  if (abs(y[1] - 10) > 1e-12 || abs(y[2] - (-2 + 2i)) > 1e-12) {
    reject("fft");
  }
  for (i in 1:4) {
    if (abs(back[i] - x[i]) > 1e-12) {
      reject("inverse fft");
    }
  }
  if (abs(m[1, 1] - 10) > 1e-12 || abs(abs(get_imag(e[1])) - 1) > 1e-12) {
    reject("fft2, eigenvalues");
  }
}
