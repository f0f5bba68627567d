data {
  int<offset=1> k; // ERROR
}
