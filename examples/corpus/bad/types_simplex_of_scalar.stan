parameters {
  simplex p; // ERROR
}
