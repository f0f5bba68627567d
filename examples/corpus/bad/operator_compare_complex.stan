data {
  complex a;
  complex b;
}
transformed data {
  int c = a < b; // ERROR
}
