functions {
  real f(array[,] real x) {
    return x[1, 1];
  }
}
transformed data {
  array[2] real a = {1, 2};
  real y = f(a); // ERROR
}
