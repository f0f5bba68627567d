transformed data {
  frobnicate(3); // ERROR
}
