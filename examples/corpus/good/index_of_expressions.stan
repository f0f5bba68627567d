// Calls, parentheses, transposes and literals may be indexed.
functions {
  array[] vector pair(vector v) {
    return {v, -v};
  }
}
transformed data {
  vector[3] v = [1, 2, 3]';
  real a = pair(v)[2][3] + pair(v)[2, 3];
  real b = (v + v)[2] + (v * v')[3, 3];
  real c = v'[3] + to_vector({7, 8})[2];
  if (a != -6 || b != 13 || c != 11) {
    reject("index: ", a, " ", b, " ", c);
  }
}
