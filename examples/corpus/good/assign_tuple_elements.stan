// Slots of tuples on the left, with indices on either side of them.
transformed data {
  tuple(int, real) ab;
  ab.1 = 123;
  ab.2 = 12;
  tuple(array[2] int, tuple(real, vector[3])) t;
  t.1 = {1, 2};
  t.1[2] = 5;
  t.2.1 = 0.5;
  t.2.2 = [1, 2, 3]';
  t.2.2[1 : 2] += 10;
  array[2] tuple(real, int) at;
  at[1] = (1.5, 2);
  at[2].1 = 3;
  at[2].2 = at[1].2 + 1;
  if (ab.1 != 123 || t.1[2] != 5 || t.2.2[2] != 12 || at[2].2 != 3) {
    reject("tuple elements");
  }
}
