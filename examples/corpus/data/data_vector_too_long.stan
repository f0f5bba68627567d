data {
  vector[2] y;
}
