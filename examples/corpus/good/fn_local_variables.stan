// Local variables of functions may have sizes that depend on arguments.
functions {
  vector running_mean(vector v, int width) {
    int n = rows(v);
    vector[n - width + 1] out;
    for (i in 1 : n - width + 1) {
      real total = 0;
      for (j in 0 : width - 1) {
        total += v[i + j];
      }
      out[i] = total / width;
    }
    return out;
  }
}
transformed data {
  vector[3] r = running_mean([1, 2, 3, 7]', 2);
  if (rows(r) != 3 || r[3] != 5) {
    reject("running mean: ", r);
  }
}
