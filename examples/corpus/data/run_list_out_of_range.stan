data {
  array[3] int ii;
}
transformed data {
  vector[3] v = [1, 2, 3]';
  vector[3] w = v[ii];
}
