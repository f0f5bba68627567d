// The condition picks a value; int and real branches give a real, and so on.
data {
  int<lower=0, upper=1> flag;
  vector[3] a;
  vector[3] b;
}
transformed data {
  real x = flag ? 1 : 2.5;
  vector[3] c = flag ? a : b;
  real y = (flag ? a : b)[2];
  array[2] int k = flag == 1 ? {1, 2} : {3, 4};
}
parameters {
  real mu;
}
model {
  a ~ normal(flag ? mu : 0, mu > 0 ? 1 : mu > -1 ? 2 : 3);
}
