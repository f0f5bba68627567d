// Coal mining disasters: the year of the change is an integer parameter.
data {
  int<lower=1> T;
  array[T] int<lower=0> disasters;
}
parameters {
  int<lower=1, upper=T> s;
  real<lower=0> early;
  real<lower=0> late;
}
model {
  early ~ exponential(1);
  late ~ exponential(1);
  for (t in 1 : T) {
    disasters[t] ~ poisson(t < s ? early : late);
  }
}
