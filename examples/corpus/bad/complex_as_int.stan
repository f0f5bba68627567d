transformed data {
  complex z = 1i;
  array[2] int a = {1, 2};
  int n = a[z]; // ERROR
}
