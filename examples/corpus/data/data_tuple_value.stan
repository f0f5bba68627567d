data {
  array[2] tuple(int, real<lower=0>) t;
}
