model {
  profile("prior") {
    real x = 1;
  }
  target += x; // ERROR
}
