transformed data {
  array[2] int n = {1, 2.5}; // ERROR
}
