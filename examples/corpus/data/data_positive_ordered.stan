data {
  positive_ordered[2] c;
}
