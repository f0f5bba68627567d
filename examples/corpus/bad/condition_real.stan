data {
  real x;
}
transformed data {
  while (x - 1) { // ERROR
    break;
  }
}
