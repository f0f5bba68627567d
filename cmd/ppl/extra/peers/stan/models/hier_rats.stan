// N = 30; T = 5
// x ~ grid(T; 8, 36); y ~ normal(N, T)
data { int N; int T; array[T] real x; array[N, T] real y; }
transformed data { real xbar = mean(x); }
parameters { array[N] real alpha; array[N] real beta; real ma; real mb; real<lower=0> sy; real<lower=0> sa; real<lower=0> sb; }
model {
  ma ~ normal(0, 100); mb ~ normal(0, 100);
  alpha ~ normal(ma, sa); beta ~ normal(mb, sb);
  for (n in 1:N) for (t in 1:T) y[n, t] ~ normal(alpha[n] + beta[n] * (x[t] - xbar), sy);
}
