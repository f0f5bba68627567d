data {
  array[3] real a;
}
transformed data {
  array[3] real b = 2 * a; // ERROR
}
