data {
  vector[3] v;
  array[2, 2] int ii;
}
transformed data {
  vector[2] y = v[ii]; // ERROR
}
