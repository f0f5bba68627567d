// Every path through a function that returns a value ends in a return.
functions {
  real both(real x) {
    if (x > 0) {
      return x;
    } else {
      return -x;
    }
  }
  real after(real x) {
    if (x > 0) {
      return x;
    }
    return -x;
  }
  real loops(int n) {
    while (1) {
      if (n > 3) {
        return n;
      }
      return 0;
    }
  }
  real rejects(real x) {
    if (x > 0) {
      return sqrt(x);
    } else {
      reject("negative: ", x);
    }
    return 0;
  }
  real nested(int a, int b) {
    if (a) {
      {
        if (b) {
          return 1;
        } else {
          return 2;
        }
      }
    } else if (b) {
      return 3;
    } else {
      return 4;
    }
  }
}
transformed data {
  if (both(-2) + after(-3) + loops(5) + rejects(4) + nested(1, 0) != 14) {
    reject("return paths");
  }
}
