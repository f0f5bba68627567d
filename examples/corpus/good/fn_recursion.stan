// Functions may call themselves and each other, in any order of definition.
functions {
  int factorial(int n) {
    return n <= 1 ? 1 : n * factorial(n - 1);
  }
  int is_even(int n) {
    if (n == 0) {
      return 1;
    }
    return is_odd(n - 1);
  }
  int is_odd(int n) {
    return n == 0 ? 0 : is_even(n - 1);
  }
  matrix power(matrix a, int n) {
    if (n == 0) {
      return diag_matrix(rep_vector(1, rows(a)));
    }
    return a * power(a, n - 1);
  }
}
transformed data {
  if (factorial(5) != 120 || is_even(10) != 1 || is_odd(10) != 0) {
    reject("recursion");
  }
  if (power([[1, 1], [1, 0]], 10)[1, 2] != 55) {
    reject("recursion");
  }
}
