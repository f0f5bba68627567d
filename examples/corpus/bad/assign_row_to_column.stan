transformed data {
  vector[2] v = [1, 2]; // ERROR
}
