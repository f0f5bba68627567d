// Tuples and complex numbers as arguments and results.
functions {
  tuple(real, vector) split(vector v) {
    return (v[1], v[2 : ]);
  }
  real first(tuple(real, vector) t) {
    return t.1;
  }
  complex rotate(complex z, real angle) {
    return z * to_complex(cos(angle), sin(angle));
  }
  array[] tuple(int, real) rows_of(array[] int a) {
    array[size(a)] tuple(int, real) out;
    for (i in 1 : size(a)) {
      out[i] = (i, a[i]);
    }
    return out;
  }
}
transformed data {
  tuple(real, vector[2]) t = split([1, 2, 3]');
  complex z = rotate(2, pi() / 2);
  if (first(t) != 1 || sum(split([1, 2, 3]').2) != 5 || rows_of({5, 7})[2].2 != 7) {
    reject("tuples");
  }
  if (abs(get_imag(z) - 2) > 1e-12) {
    reject("complex");
  }
}
