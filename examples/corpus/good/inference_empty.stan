// An inference block may be empty.
parameters {
  real mu;
}
model {
  mu ~ normal(0, 1);
}
inference {

}
