data {
  vector[2] v;
}
transformed data {
  print([v, v]); // ERROR
}
