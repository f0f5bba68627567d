transformed data {
  for (int i = 1; i <= 3; i++) { // ERROR
    print(i);
  }
}
