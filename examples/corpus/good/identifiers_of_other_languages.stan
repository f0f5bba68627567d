// Words that other languages reserve are free.
transformed data {
  real class = 1;
  real public = 2;
  real func = 3;
  real range = 4;
  real defer = 5;
  real double = 6;
  real lambda = 7;
  real import = 8;
  real switch = 9;
  real map = 10;
  if (class + public + func + range + defer + double + lambda + import + switch
      + map != 55) {
    reject("names are confused");
  }
}
