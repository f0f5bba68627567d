data {
  tuple(int) t; // ERROR
}
