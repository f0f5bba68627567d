data {
  tuple(int, real) t;
}
transformed data {
  real x = t.3; // ERROR
}
