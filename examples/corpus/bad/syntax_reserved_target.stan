model {
  real target = 0; // ERROR
}
