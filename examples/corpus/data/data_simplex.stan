data {
  simplex[3] theta;
}
