data {
  corr_matrix[2] R;
}
