transformed data {
  target += 1; // ERROR
}
