// N = 300
// K ~ counts(N; 20, 60); y ~ counts(N; 2, 18)
data { int N; array[N] int K; array[N] int y; }
parameters { real<lower=0, upper=1> phi; real<lower=1> kappa; vector<lower=0, upper=1>[N] theta; }
model { kappa ~ pareto(1, 1.5); theta ~ beta(phi * kappa, (1 - phi) * kappa); y ~ binomial(K, theta); }
