// Arguments and results of every type, without sizes.
functions {
  int f_int(int a, array[] int b, array[,] int c) {
    return a + sum(b) + c[1, 2];
  }
  vector f_vector(vector v, row_vector r) {
    return v + r';
  }
  matrix f_matrix(matrix m, array[,,] matrix am) {
    return m + am[1, 1, 1];
  }
  array[] real f_array(array[] real x) {
    return x;
  }
  array[,] vector f_array_of_vectors(int n, vector v) {
    return rep_array(v, n, 2);
  }
  real f_data(data real x, data array[] vector v) {
    return x + sum(v[1]);
  }
}
transformed data {
  int a = f_int(1, {2, 3}, {{4, 5}});
  vector[2] b = f_vector([1, 2]', [3, 4]);
  matrix[1, 1] c = f_matrix([[1]], rep_array([[2]], 1, 1, 1));
  array[2] real d = f_array({1, 2});
  array[3, 2] vector[2] e = f_array_of_vectors(3, b);
  real f = f_data(1, {b});
  if (a != 11 || b[2] != 6 || c[1, 1] != 3 || d[2] != 2 || e[3, 2, 1] != 4) {
    reject("arguments");
  }
  if (f != 11) {
    reject("data arguments");
  }
}
