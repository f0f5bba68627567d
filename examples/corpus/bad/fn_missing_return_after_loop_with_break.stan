functions {
  real f(real x) { // ERROR
    while (1) {
      if (x > 0) {
        return x;
      }
      if (x < -1) {
        break;
      }
    }
  }
}
