transformed data {
  real my_lupdf = 1; // ERROR
}
