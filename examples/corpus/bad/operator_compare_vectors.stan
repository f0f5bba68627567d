data {
  vector[3] a;
  vector[3] b;
}
transformed data {
  int c = a < b; // ERROR
}
