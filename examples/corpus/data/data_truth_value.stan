data {
  int flag;
}
