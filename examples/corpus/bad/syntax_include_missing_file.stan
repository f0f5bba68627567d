#include no_such_file.stan // ERROR
parameters {
  real x;
}
