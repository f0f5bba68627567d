// Any integer expressions bound a loop; its variable is an int of the body only.
functions {
  int next(int n) {
    return n + 1;
  }
}
transformed data {
  array[5] int a;
  for (n in next(0) : size(a)) {
    int square_of_n = n * n;
    a[n] = square_of_n;
  }
  for (n in a[1] : a[2] - 2) {
    a[n + 2] += n;
  }
  if (a[1] != 1 || a[3] != 10 || a[4] != 18 || a[5] != 25) {
    reject("a is ", a);
  }
}
