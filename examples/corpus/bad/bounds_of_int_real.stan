data {
  int<lower=0.5> N; // ERROR
}
