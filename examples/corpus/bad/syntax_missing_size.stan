data {
  vector y; // ERROR
}
