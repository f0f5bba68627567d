parameters {
  real x; # a comment // ERROR
}
