// Which operator binds more tightly, and to which side.
transformed data {
  if (1 + 2 * 3 != 7 || (1 + 2) * 3 != 9) {
    reject("* before +");
  }
  if (10 - 4 - 3 != 3 || 2.0 / 4 / 2 != 0.25 || 2.0 / 4 * 2 != 1) {
    reject("left to right");
  }
  if (-2 ^ 2 != -4 || (-2) ^ 2 != 4) {
    reject("^ before unary -");
  }
  if (2 ^ 3 ^ 2 != 512) {
    reject("^ to the right");
  }
  if (2 ^ -1 != 0.5) {
    reject("a sign in the exponent");
  }
  if (2 * 3 + 3 * - 4 != -6 || - - 2 != 2 || 3 - -2 != 5) {
    reject("signs");
  }
  if (7 % 4 * 2 != 6 || 2 * 7 % 4 != 2) {
    reject("% like *");
  }
  if (2 * 7 %/% 4 != 2 || 7 %/% 2 * 2 != 6) {
    reject("%/% before *");
  }
}
