data {
  int<lower=0> N;
  #include <include/y.stan>
}
