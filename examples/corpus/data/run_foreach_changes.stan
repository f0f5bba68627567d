transformed data {
  vector[2] v = [1, 2]';
  for (x in v) {
    v[3] = x;
  }
}
