// Counting loops count up, by one; an empty range runs no turn.
transformed data {
  int total = 0;
  for (i in 1 : 4) {
    total += i;
  }
  for (i in 3 : 2) {
    total += 1000;
  }
  for (i in 2 : 2)
    total += 100;
  for (i in -1 : 1) {
    for (j in i : 1) {
      total += 1;
    }
  }
  int n = 3;
  for (i in n - 2 : 2 * n - 3) {
    total += 10000;
  }
  if (total != 30116) {
    reject("total is ", total);
  }
}
