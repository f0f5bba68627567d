// T = 300; M = 40
// yobs ~ normal(260); iobs ~ seq(260; 1); imis ~ seq(M; 261)
data { int T; int M; array[260] real yobs; array[260] int iobs; array[M] int imis; }
parameters { vector[M] ymis; real<lower=0> s; real<lower=-1, upper=1> phi; }
transformed parameters { vector[T] y; y[iobs] = to_vector(yobs); y[imis] = ymis; }
model { s ~ gamma(1, 1); y[1] ~ normal(0, 100); y[2:T] ~ normal(phi * y[1:(T - 1)], s); }
