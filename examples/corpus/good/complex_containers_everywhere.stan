// Complex containers as arguments, results, elements, parameters' functions.
functions {
  complex_vector twist(complex_vector z, real angle) {
    return z * to_complex(cos(angle), sin(angle));
  }
  array[] complex both(complex z) {
    return {z, conj(z)};
  }
  complex_matrix outer(complex_vector a, complex_row_vector b) {
    return a * b;
  }
}
transformed data {
  complex_vector[2] z = [1, 1i]';
  complex_vector[2] t = twist(z, pi() / 2);
  complex_matrix[2, 2] m = outer(z, z');
  array[2] complex b = both(3 + 4i);
  array[2] complex_vector[2] zs = {z, t};
  complex_matrix[2, 3] wide = append_col(m, z);
  if (abs(t[2] + 1) > 1e-15 || abs(t[1] - 1i) > 1e-15) {
    reject("complex vector");
  }
  if (get_real(m[2, 2]) != -1 || get_imag(b[2]) != -4 || abs(b[1]) != 5) {
    reject("complex matrix");
  }
  if (get_imag(zs[1][2]) != 1 || get_imag(wide[2, 3]) != 1 || norm(b[1]) != 25) {
    reject("arrays of complex vectors");
  }
  z[1] = 5;
  m[1, 2] += 1i;
  m[2] = [1, 2];
  if (get_real(z[1]) != 5 || get_imag(m[1, 2]) != 2 || get_real(m[2, 2]) != 2) {
    reject("assigning complex elements");
  }
  for (x in z) {
    if (get_real(x) != 5 && get_imag(x) != 1) {
      reject("loop over a complex vector");
    }
  }
}
