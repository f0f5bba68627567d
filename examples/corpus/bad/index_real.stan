data {
  vector[3] v;
}
transformed data {
  real y = v[1.0]; // ERROR
}
