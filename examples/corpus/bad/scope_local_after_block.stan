transformed data {
  {
    real x = 1;
    print(x);
  }
  real y = x; // ERROR
}
