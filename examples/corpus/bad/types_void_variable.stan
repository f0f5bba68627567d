transformed data {
  void x; // ERROR
}
