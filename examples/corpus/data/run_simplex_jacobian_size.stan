transformed data {
  vector[3] p = [0.5, 0.4, 0.3]';
  vector[2] y = simplex_unconstrain(p);
}
