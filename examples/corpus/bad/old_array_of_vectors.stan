data {
  vector[2] y[10, 3]; // ERROR
}
