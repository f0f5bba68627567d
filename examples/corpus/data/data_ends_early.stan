data {
  vector[3] y;
}
