// T = 400
// y ~ poisson(T; 5)
data { int T; array[T] int y; }
parameters { real<lower=0> omega; real<lower=0, upper=1> a; real<lower=0, upper=1> b; }
model {
  vector[T] lambda; lambda[1] = mean(y);
  omega ~ normal(0, 2);
  for (t in 2:T) lambda[t] = omega + a * y[t - 1] + b * lambda[t - 1];
  y ~ poisson(lambda);
}
