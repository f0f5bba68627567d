data {
  array[2] int b;
}
transformed data {
  array[2, 3] int a = {{1, 2, 3}, b};
}
