transformed data {
  vector[5] v;
  v[2 : 4] = [1, 2]';
}
