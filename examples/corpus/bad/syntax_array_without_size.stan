data {
  array real y; // ERROR
}
