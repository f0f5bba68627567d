// Integers in base 10, with the largest and the smallest that 32 bits hold.
transformed data {
  int zero = 0;
  int large = 2147483647;
  int negative = -2147483647;
  int twice = - -1;
  if (large + negative != zero || twice != 1) {
    reject("integer literals");
  }
}
