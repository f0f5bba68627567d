// Integer division and modulus truncate towards zero.
transformed data {
  if (7 %/% 2 != 3 || -7 %/% 2 != -3 || 7 %/% -2 != -3) {
    reject("%/%");
  }
  if (7 / 2 != 3 || 1 / 2 != 0) {
    reject("/ on integers");
  }
  if (7 % 3 != 1 || -7 % 3 != -1 || 7 % -3 != 1) {
    reject("%");
  }
  if (7 / 2.0 != 3.5 || 7.0 / 2 != 3.5) {
    reject("/ on reals");
  }
}
