// Break and continue in counting and foreach loops, inside other statements.
transformed data {
  int total = 0;
  for (i in 1 : 10) {
    if (i == 3) {
      continue;
    } else if (i == 6) {
      break;
    }
    {
      total += i;
    }
  }
  for (x in {1, 2, 3, 4}) {
    if (x == 2)
      continue;
    if (x == 4)
      break;
    total += 100 * x;
  }
  for (i in 1 : 3) {
    for (j in 1 : 3) {
      if (j == 2)
        break;
      total += 1000;
    }
  }
  if (total != 3412) {
    reject("total is ", total);
  }
}
