// Comparisons of ints and reals give 0 or 1; with NaN they give 0.
transformed data {
  real nan = not_a_number();
  int two = (1 < 2) + (2.5 >= 2) + (3 == 4) + (3 != 3.0);
  if (two != 2 || nan == nan || nan < 1 || nan >= 1 || 1 != 1.0) {
    reject("comparison");
  }
  if (!(negative_infinity() < -1e308) || !(positive_infinity() > 1e308)) {
    reject("infinities");
  }
}
