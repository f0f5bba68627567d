transformed data {
  print("a" + "b"); // ERROR
}
