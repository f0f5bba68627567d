data {
  sum_to_zero_vector[3] a;
}
