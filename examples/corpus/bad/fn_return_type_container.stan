functions {
  vector f(row_vector x) {
    return x; // ERROR
  }
}
