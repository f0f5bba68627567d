data {
  ordered[3] c;
}
