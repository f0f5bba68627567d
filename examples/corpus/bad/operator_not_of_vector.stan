data {
  vector[3] a;
}
transformed data {
  int b = !a; // ERROR
}
