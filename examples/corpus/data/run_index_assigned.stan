transformed data {
  vector[3] v = [1, 2, 3]';
  for (i in 1:4) {
    v[i] = 0;
  }
}
