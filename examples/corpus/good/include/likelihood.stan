for (n in 1 : N) {
  target += -0.5 * distance2(y[n], mu);
}
