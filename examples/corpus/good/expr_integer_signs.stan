// Integer division goes towards zero, and the remainder has the sign of the dividend.
transformed data {
  if (-7 %/% 2 != -3 || 7 %/% -2 != -3 || -7 / 2 != -3) {
    reject("quotient");
  }
  if (-7 % 2 != -1 || 7 % -2 != 1) {
    reject("remainder");
  }
  if (2 ^ 3 != 8 || -2 ^ 2 != -4 || (-2) ^ 2 != 4 || 2 ^ -1 != 0.5) {
    reject("powers");
  }
  if (1 / 2 * 2.0 != 0 || 1 / 2.0 * 2 != 1) {
    reject("promotion comes late");
  }
}
