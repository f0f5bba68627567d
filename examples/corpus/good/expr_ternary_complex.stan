// A ternary with a real and a complex branch is complex.
data {
  int<lower=0, upper=1> flag;
}
transformed data {
  complex z = flag ? 1 : 2i;
  complex w = flag ? 1i : 2.5;
}
