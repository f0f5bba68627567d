data {
  array[3] int k;
}
