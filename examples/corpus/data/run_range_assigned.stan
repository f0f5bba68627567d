transformed data {
  vector[3] v;
  v[2:4] = [1, 2, 3]';
}
