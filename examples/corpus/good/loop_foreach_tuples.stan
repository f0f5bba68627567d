// A loop over an array of tuples.
transformed data {
  array[3] tuple(int, real) pairs = {(1, 0.5), (2, 1.5), (3, 2.5)};
  real total = 0;
  for (p in pairs) {
    total += p.1 * p.2;
  }
  if (total != 11) {
    reject("total is ", total);
  }
}
