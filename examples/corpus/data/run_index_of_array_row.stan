transformed data {
  array[2, 2] real a = {{1, 2}, {3, 4}};
  real x = a[2, 3];
}
