// While loops, with break and continue, which leave the innermost loop only.
transformed data {
  int n = 0;
  while (n < 10) {
    n += 3;
  }
  int turns = 0;
  while (1) {
    turns += 1;
    if (turns % 2 == 0) {
      continue;
    }
    if (turns > 8) {
      break;
    }
    while (1) {
      break;
    }
  }
  if (n != 12 || turns != 9) {
    reject("n is ", n, ", turns is ", turns);
  }
}
