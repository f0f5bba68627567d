// J = 20; N = 15
// x ~ normal(J, N); y ~ bernoulli(J, N; 0.4)
functions { vector shard(vector phi, vector th, array[] real x, array[] int y) { return [bernoulli_logit_lpmf(y | th[1] + to_vector(x) * (phi[1] + th[2]))]'; } }
data { int J; int N; array[J, N] real x; array[J, N] int y; }
parameters { vector[2] phi; array[J] vector[2] th; }
model { phi ~ normal(0, 1); for (j in 1:J) th[j] ~ normal(0, exp(phi[2])); target += sum(map_rect(shard, phi, th, x, y)); }
