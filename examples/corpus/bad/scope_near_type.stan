parameters {
  rael mu; // ERROR
}
