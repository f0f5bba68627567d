model {
  simplex[2] x = [0.5, 0.5]'; // ERROR
}
