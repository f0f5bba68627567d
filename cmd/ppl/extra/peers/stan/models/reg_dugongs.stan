// N = 27
// x ~ uniform(N; 1, 30); Y ~ uniform(N; 1.7, 2.7)
data { int<lower=0> N; array[N] real x; array[N] real Y; }
parameters { real alpha; real beta; real<lower=.5, upper=1> lambda; real<lower=0> tau; }
transformed parameters { real sigma; sigma = 1 / sqrt(tau); }
model {
  array[N] real m;
  for (i in 1:N) m[i] = alpha - beta * pow(lambda, x[i]);
  Y ~ normal(m, sigma);
  alpha ~ normal(0.0, 1000); beta ~ normal(0.0, 1000); lambda ~ uniform(.5, 1); tau ~ gamma(.0001, .0001);
}
