// Comparison before equality before and before or before the condition.
transformed data {
  int a = 1;
  if (!(1 || 0 && 0)) {
    reject("&& before ||");
  }
  if (!(3 > 2 == 1)) {
    reject("> before ==");
  }
  if (!(1 + 1 < 3 && 2 * 2 == 4)) {
    reject("arithmetic before comparison");
  }
  if (!a + 1 != 1) {
    reject("! before +");
  }
  if ((0 || 1 ? 2 : 3) != 2) {
    reject("|| before ?");
  }
  if ((1 ? 2 : 0 ? 3 : 4) != 2 || (0 ? 2 : 0 ? 3 : 4) != 4) {
    reject("? to the right");
  }
  if ((a > 0 ? 1 + 1 : 5 - 1) != 2) {
    reject("arithmetic before ?");
  }
  if (1 < 2 < 2 != 1) {
    reject("comparison to the left");
  }
  if (!!5 != 1 || !0 != 1) {
    reject("!");
  }
}
