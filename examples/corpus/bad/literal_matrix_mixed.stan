transformed data {
  print([[1, 2], 3]); // ERROR
}
