data {
  tuple(int, vector[2]) t;
}
