transformed data {
  int a[2] = {1, 2}; // ERROR
  print(a);
}
