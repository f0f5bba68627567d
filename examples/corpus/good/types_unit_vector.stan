// Vectors of length one: points on a sphere.
parameters {
  unit_vector[2] direction;
  array[4] unit_vector[3] sphere;
}
transformed parameters {
  real angle = atan2(direction[2], direction[1]);
}
model {
  target += cos(angle);
}
