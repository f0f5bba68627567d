functions {
  void f() {
    print("f");
  }
}
transformed data {
  print(f()); // ERROR
}
