data {
  int k;
  vector[2] v;
}
transformed data {
  vector[2] y = k ? v : 0; // ERROR
}
