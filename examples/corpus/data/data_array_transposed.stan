data {
  array[2, 3] int y;
}
