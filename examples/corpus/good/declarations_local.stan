// Local variables have sizes but no constraints.
parameters {
  real x;
}
model {
  int n = 3;
  real a;
  vector[n] v = rep_vector(x, n);
  {
    array[n] matrix[2, n] m;
    complex z = 1i;
    tuple(int, real) t = (n, x);
    m = rep_array(rep_matrix(x, 2, n), n);
    a = sum(m[1]) + get_imag(z) + t.2;
  }
  target += -square(a) - dot_self(v);
}
