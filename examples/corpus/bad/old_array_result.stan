functions {
  int[,] f() { // ERROR
    return {{1}};
  }
}
