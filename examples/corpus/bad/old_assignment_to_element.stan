transformed data {
  vector[3] x;
  for (i in 1 : 3) {
    x[i] <- i; // ERROR
  }
}
