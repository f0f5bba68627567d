data {
  vector[2] x;
}
transformed data {
  if (x) { // ERROR
    print(x);
  }
}
