data {
  row_stochastic_matrix[2, 2] P;
}
