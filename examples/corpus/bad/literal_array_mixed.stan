data {
  vector[2] v;
}
transformed data {
  print({1, v}); // ERROR
}
