transformed data {
  if (1i) { // ERROR
    print("never");
  }
}
