transformed data {
  array[2, 2] int a;
  a[1] = {1, 2.5}; // ERROR
}
