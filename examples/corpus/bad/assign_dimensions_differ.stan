transformed data {
  array[2] real a = {1, 2};
  array[2, 2] real b;
  b = a; // ERROR
}
