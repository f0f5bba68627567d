// profile stands around statements in any block and in functions, also nested, and
// one name may be used many times; what is declared inside is local to it.
functions {
  real slow(real x) {
    real y;
    profile("in a function") {
      y = x;
      for (i in 1:10) {
        y = sin(y);
      }
    }
    return y;
  }
}
transformed data {
  real a;
  profile("data") {
    real local = 2;
    a = local;
  }
}
parameters {
  real x;
}
transformed parameters {
  real y;
  profile("transform") {
    y = slow(x);
  }
}
model {
  profile("prior") {
    x ~ normal(0, 1);
    profile("inner") {
      y ~ normal(0, a);
    }
  }
  profile("prior") {
    target += -x ^ 2;
  }
}
generated quantities {
  real g;
  profile("after") {
    g = slow(y);
  }
}
