// Comments and strings may hold any characters: µ, 日本語, ∑.
transformed data {
  print("µ = ", 1); // σ²
}
