// Functions may share a name where their arguments differ.
functions {
  real add_up(real a, real b) {
    return a + b;
  }
  real add_up(real a, real b, real c) {
    return a + b + c;
  }
  int add_up(int a, int b) {
    return 100 * a + b;
  }
  real add_up(vector v) {
    return sum(v);
  }
  real add_up(array[] vector v) {
    return sum(v[1]);
  }
}
transformed data {
  int a = add_up(1, 2);
  real b = add_up(1.0, 2);
  real c = add_up(1, 2, 3);
  real d = add_up([1, 2, 3, 4]') + add_up({[1, 2]'});
  if (a != 102 || b != 3 || c != 6 || d != 13) {
    reject("overloading: ", a, " ", b, " ", c, " ", d);
  }
}
