// Printing, rejecting and profiling take strings and values of any type.
functions {
  void complain(real x) {
    if (x > 1e300) {
      reject("x = ", x, " is too large");
    }
  }
}
data {
  int N;
  matrix[2, 2] m;
  array[2] vector[2] av;
}
transformed data {
  print("N = ", N, "; m = ", m, "; av = ", av);
  print("a string with signs: \ / ' { } ; // /* % and a tab	.");
  print("");
  print(N);
}
parameters {
  real x;
}
model {
  profile("prior") {
    real twice = 2 * x;
    twice ~ normal(0, 1);
    complain(x);
  }
  profile("nothing") {

  }
  if (is_nan(x)) {
    reject("x is not a number: ", x);
  }
}
