transformed data {
  vector[2] v = 1; // ERROR
}
