data {
  vector[3, 3] m; // ERROR
}
