data {
  vector[] y; // ERROR
}
