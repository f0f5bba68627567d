// Recursion over containers, with local arrays that belong to each call.
functions {
  vector merge(vector a, vector b) {
    if (size(a) == 0) return b;
    if (size(b) == 0) return a;
    if (a[1] < b[1]) return append_row(a[1], merge(a[2:], b));
    return append_row(b[1], merge(a, b[2:]));
  }
  vector sorted(vector x) {
    int n = size(x);
    int half = n %/% 2;
    if (n < 2) return x;
    return merge(sorted(x[:half]), sorted(x[half + 1:]));
  }
  int ackermann(int m, int n) {
    if (m == 0) return n + 1;
    if (n == 0) return ackermann(m - 1, 1);
    return ackermann(m - 1, ackermann(m, n - 1));
  }
}
transformed data {
  vector[7] x = [5, 3, 8, 1, 9, 2, 7]';
  vector[7] y = sorted(x);
  for (i in 2:7) {
    if (y[i - 1] > y[i]) {
      reject("not in order: ", y);
    }
  }
  if (ackermann(2, 3) != 9) {
    reject("ackermann");
  }
}
