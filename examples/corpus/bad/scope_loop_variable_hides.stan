data {
  int n;
}
transformed data {
  for (n in 1 : 3) { // ERROR
    print("turn");
  }
}
