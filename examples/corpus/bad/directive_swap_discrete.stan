parameters {
  int<lower=0, upper=9> k;
}
model {
  k ~ poisson(2);
}
inference {
  other = prior_swap(nuts(), from = "parametric") {
    k ~ poisson(3); // ERROR
  }
}
