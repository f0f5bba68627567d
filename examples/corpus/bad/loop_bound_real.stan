data {
  real x;
}
transformed data {
  for (i in 1 : x) { // ERROR
    print(i);
  }
}
