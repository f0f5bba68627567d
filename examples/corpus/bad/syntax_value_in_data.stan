data {
  int N = 3; // ERROR
}
