// Underscores may group the digits of a number.
transformed data {
  int many = 1_000_000;
  real x = 1_000.5;
  if (many != 1000000 || x != 1000.5) {
    reject("digit groups");
  }
}
