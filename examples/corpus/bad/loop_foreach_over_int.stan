transformed data {
  for (i in 5) { // ERROR
    print(i);
  }
}
