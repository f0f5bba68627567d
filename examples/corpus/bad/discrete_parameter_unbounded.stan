parameters {
  int k; // ERROR
}
