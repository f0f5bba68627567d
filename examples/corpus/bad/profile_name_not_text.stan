model {
  profile(prior) { // ERROR
    target += 0;
  }
}
