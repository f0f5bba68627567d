transformed data {
  for (int i in 1 : 3) { // ERROR
    print(i);
  }
}
