// Brackets around nothing are an empty row vector, and transposed an empty vector.
functions {
  int length(row_vector r) {
    return size(r);
  }
}
transformed data {
  row_vector[0] r = [];
  vector[0] v = []';
  row_vector[2] joined = append_col([], [1, 2]);
  matrix[0, 0] m = to_matrix([], 0, 0);
  if (length([]) != 0 || size([]') != 0 || sum([]) != 0 || prod([]) != 1) {
    reject("empty row vector");
  }
  if (joined[2] != 2 || rows(m) != 0 || num_elements(r) + num_elements(v) != 0) {
    reject("empty row vector");
  }
}
