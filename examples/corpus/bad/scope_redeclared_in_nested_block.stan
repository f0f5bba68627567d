model {
  real a = 1;
  {
    real a = 2; // ERROR
  }
}
