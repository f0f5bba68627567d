// Lower and upper bounds in both orders, as expressions, and infinite.
data {
  int<lower=0> N;
  int<upper=10> M;
  int<lower=0, upper=1> flag;
  real<upper=0> log_p;
}
parameters {
  real<lower=0> a;
  real<upper=-1> b;
  real<lower=-1, upper=1> c;
  real<upper=1, lower=-1> d;
  real<lower=a> e;
  real<lower=a + b, upper=a * 2 + exp(c)> f;
  real<lower=negative_infinity(), upper=3> g;
  real<lower=0, upper=positive_infinity()> h;
  real<lower=(N > 3), upper=M ^ 2> i;
}
model {
  a ~ exponential(1);
  b ~ normal(0, 1);
  e ~ normal(0, 1);
  g ~ normal(0, 1);
  h ~ normal(0, 1);
}
