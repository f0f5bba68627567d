data {
  vector[2] n;
  vector[n] v; // ERROR
}
