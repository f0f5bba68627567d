transformed data {
  real x = 1e12;
  int n = to_int(x);
}
