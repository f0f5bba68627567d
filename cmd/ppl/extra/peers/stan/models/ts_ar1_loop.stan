// T = 500
// y ~ normal(T)
data { int T; vector[T] y; }
parameters { real alpha; real<lower=-1, upper=1> beta; real<lower=0> sigma; }
model { for (t in 2:T) y[t] ~ normal(alpha + beta * y[t - 1], sigma); }
