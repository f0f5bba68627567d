transformed data {
  print(); // ERROR
}
