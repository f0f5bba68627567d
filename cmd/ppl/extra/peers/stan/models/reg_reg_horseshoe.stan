// N = 150; D = 60
// X ~ normal(N, D); y ~ normal(N)
data { int N; int D; matrix[N, D] X; vector[N] y; }
parameters { vector[D] z; real<lower=0> sigma; real<lower=0> tau; vector<lower=0>[D] lambda; real<lower=0> caux; }
transformed parameters {
  real c = 2 * sqrt(caux);
  vector[D] lt = sqrt(c ^ 2 * square(lambda) ./ (c ^ 2 + tau ^ 2 * square(lambda)));
  vector[D] beta = z .* lt * tau;
}
model {
  z ~ normal(0, 1); lambda ~ student_t(1, 0, 1); tau ~ student_t(1, 0, 0.1 * sigma); caux ~ inv_gamma(2, 2);
  sigma ~ normal(0, 1);
  y ~ normal(X * beta, sigma);
}
