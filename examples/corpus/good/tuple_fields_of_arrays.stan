// A field of an array of tuples is an array of fields.
transformed data {
  array[3] tuple(int, vector[2]) a = {(1, [1, 2]'), (2, [3, 4]'), (3, [5, 6]')};
  array[3] int first;
  for (i in 1:3) {
    first[i] = a[i].1;
  }
  if (sum(first) != 6 || sum(a[3].2) != 11) {
    reject("fields of arrays of tuples");
  }
}
