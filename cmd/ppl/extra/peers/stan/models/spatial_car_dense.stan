// n = 60
// W ~ adjacency(n); y ~ poisson(n; 6); E ~ uniform(n; 3, 9)
data { int n; matrix[n, n] W; array[n] int y; vector[n] E; }
transformed data { vector[n] zeros = rep_vector(0, n); matrix[n, n] D; vector[n] ws = W * rep_vector(1.0, n); D = diag_matrix(ws); }
parameters { real b; vector[n] phi; real<lower=0> tau; real<lower=0, upper=1> alpha; }
model { phi ~ multi_normal_prec(zeros, tau * (D - alpha * W)); b ~ normal(0, 1); tau ~ gamma(2, 2); y ~ poisson_log(log(E) + b + phi); }
