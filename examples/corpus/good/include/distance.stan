real distance2(real a, real b) {
  return square(a - b);
}
