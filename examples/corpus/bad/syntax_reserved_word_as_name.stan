data {
  int for; // ERROR
}
