transformed data {
  exp(1); // ERROR
}
