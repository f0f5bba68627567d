// Tuples are assigned as a whole, with promotion in each slot.
transformed data {
  tuple(int, real) a = (1, 2.5);
  tuple(complex, real) b = a;
  tuple(real, real) c = a;
  array[2] tuple(real, real) d = {c, (3, 4)};
  if (get_real(b.1) != 1 || c.1 != 1.0 || d[2].2 != 4) {
    reject("tuples");
  }
}
