// Parentheses with a comma make a tuple.
transformed data {
  tuple(int, vector[3]) xy = (42, [1, 2.9, -1.3]');
  tuple(real, tuple(int, complex), array[2] int) nested = (1, (2, 3i), {4, 5});
  int grouped = (7);
  if (xy.1 != 42 || xy.2[2] != 2.9 || nested.2.1 != 2 || nested.3[2] != 5) {
    reject("tuple");
  }
}
