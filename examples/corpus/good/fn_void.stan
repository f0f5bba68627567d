// Functions without a value are called as statements; return ends them early.
functions {
  void check_positive(real x) {
    if (x > 0) {
      return;
    }
    reject("not positive: ", x);
  }
  void nothing() {

  }
  void greet(array[] int a, matrix m) {
    print("sizes ", size(a), " and ", rows(m), " by ", cols(m));
  }
}
transformed data {
  check_positive(1);
  nothing();
  greet({1, 2}, [[1, 2]]);
}
