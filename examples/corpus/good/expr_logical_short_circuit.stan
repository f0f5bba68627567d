// The second operand is not evaluated where the first decides.
functions {
  int never() {
    reject("evaluated");
    return 1;
  }
}
transformed data {
  if (0 && never()) {
    reject("and");
  }
  if (1 || never()) {
    print("fine");
  }
  int k = 1 ? 3 : never();
  int m = 0 ? never() : 4;
  if (k + m != 7) {
    reject("ternary");
  }
}
