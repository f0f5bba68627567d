transformed data {
  array[2] int a = {2147483647, 2147483647};
  int n = sum(a);
}
