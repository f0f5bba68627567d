data {
  tuple(int, int) t;
}
transformed data {
  for (i in t) { // ERROR
    print(i);
  }
}
