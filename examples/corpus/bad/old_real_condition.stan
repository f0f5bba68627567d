transformed data {
  real x = 1;
  if (x) { // ERROR
    print("x");
  }
}
