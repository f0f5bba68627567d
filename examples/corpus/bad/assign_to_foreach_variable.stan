transformed data {
  vector[2] v = [1, 2]';
  for (x in v) {
    x += 1; // ERROR
  }
}
