data {
  int<lower=1> J;
  int<lower=0> N;
  array[N] int<lower=1, upper=J> group;
}
