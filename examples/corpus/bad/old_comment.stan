# Comments no longer start like this // ERROR
parameters {
  real x;
}
