data {
  array[2, 3] real y;
}
