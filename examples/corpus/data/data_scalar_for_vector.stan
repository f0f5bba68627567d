data {
  vector[1] y;
}
