data {
  vector[3] a;
}
transformed data {
  int c = a && 1; // ERROR
}
