data {
  row_vector[2] low;
  vector<lower=low>[2] x; // ERROR
}
