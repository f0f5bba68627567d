data {
  vector[3] v;
}
transformed data {
  vector[2] y = v[1 : 2.5]; // ERROR
}
