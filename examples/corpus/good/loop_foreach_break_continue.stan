// break and continue work in foreach and while, and leave the innermost loop only.
transformed data {
  int s = 0;
  for (x in {1, 2, 3, 4, 5}) {
    if (x == 2) continue;
    if (x == 5) break;
    s += x;
  }
  if (s != 8) {
    reject("foreach");
  }
  s = 0;
  for (i in 1:3) {
    for (j in 1:3) {
      if (j == i) break;
      s += 1;
    }
  }
  if (s != 3) {
    reject("nested");
  }
  while (1) {
    s += 1;
    if (s < 10) continue;
    break;
  }
  if (s != 10) {
    reject("while");
  }
  for (x in rep_array(1, 0)) {
    reject("an empty array has no elements");
  }
}
