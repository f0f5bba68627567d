transformed data {
  array[2] real a = {1, 2};
  real y = dot_product(a, [1, 2]'); // ERROR
}
