transformed data {
  {
    sum_to_zero_vector[3] z; // ERROR
  }
}
