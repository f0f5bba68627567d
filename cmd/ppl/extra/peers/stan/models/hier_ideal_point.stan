// I = 50; J = 80; N = 4000
// leg ~ levels(N; I); bill ~ levels(N; J); y ~ bernoulli(N; 0.5)
data { int I; int J; int N; array[N] int leg; array[N] int bill; array[N] int y; }
parameters { vector[I] theta; vector[J] a; vector[J] b; }
model { theta ~ normal(0, 1); a ~ normal(0, 2); b ~ normal(0, 2); for (n in 1:N) y[n] ~ bernoulli_logit(b[bill[n]] * theta[leg[n]] - a[bill[n]]); }
