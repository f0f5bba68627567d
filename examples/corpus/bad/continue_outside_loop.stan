functions {
  void f() {
    continue; // ERROR
  }
}
