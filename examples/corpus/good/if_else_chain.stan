// Conditions are integers; an else belongs to the nearest if.
functions {
  int grade(real x) {
    if (x < 1)
      return 1;
    else if (x < 2)
      return 2;
    else {
      return 3;
    }
  }
  int dangling(int a, int b) {
    if (a)
      if (b)
        return 1;
      else
        return 2;
    return 3;
  }
}
transformed data {
  if (grade(0.5) != 1 || grade(1.5) != 2 || grade(2) != 3) {
    reject("grade");
  }
  if (dangling(1, 1) != 1 || dangling(1, 0) != 2 || dangling(0, 1) != 3) {
    reject("dangling");
  }
  if (0)
    reject("zero is false");
  if (-5) {
  } else {
    reject("any other integer is true");
  }
}
