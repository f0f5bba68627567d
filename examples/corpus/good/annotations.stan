// Annotations before a declaration are hints to tools; unknown ones are ignored.
functions {
  @pure real half(real x) {
    return x / 2;
  }
}
parameters {
  @silent vector[3] raw;
  @first @second real<lower=0> tau;
}
transformed parameters {
  @output vector[3] theta = half(tau) * raw;
}
model {
  @local real a = 1;
  raw ~ normal(0, a);
  tau ~ exponential(1);
}
