// N = 80; E = 160
// a ~ levels(E; 80); b ~ levels(E; 80); y ~ poisson(N; 6); x ~ normal(N); ee ~ uniform(N; 3, 9)
functions {
  real icar_normal_lpdf(vector phi, int N, array[] int n1, array[] int n2) {
    return -0.5 * dot_self(phi[n1] - phi[n2]) + normal_lpdf(sum(phi) | 0, 0.001 * N);
  }
}
data { int N; int E; array[E] int a; array[E] int b; array[N] int y; vector[N] x; vector[N] ee; }
parameters { real b0; real b1; vector[N] phi; vector[N] th; real<lower=0> sp; real<lower=0> st; }
model {
  for (i in 1:N) y[i] ~ poisson_log(log(ee[i]) + b0 + b1 * x[i] + phi[i] * sp + th[i] * st);
  phi ~ icar_normal(N, a, b); th ~ std_normal(); b0 ~ normal(0, 5); b1 ~ normal(0, 5); sp ~ gamma(1, 1); st ~ gamma(1, 1);
}
