// G = 600; N = 20; W = 30
// home ~ levels(G; N); away ~ levels(G; N); week ~ levels(G; W); d ~ normal(G)
data { int G; int N; int W; array[G] int home; array[G] int away; array[G] int week; vector[G] d; }
parameters { array[W] vector[N] z; real<lower=0> s0; real<lower=0> sw; real<lower=0> s; real hfa; }
transformed parameters {
  array[W] vector[N] a;
  a[1] = s0 * z[1];
  for (w in 2:W) a[w] = a[w - 1] + sw * z[w];
}
model {
  for (w in 1:W) z[w] ~ std_normal();
  s0 ~ normal(0, 5); sw ~ normal(0, 1); s ~ normal(0, 10); hfa ~ normal(0, 3);
  for (g in 1:G) d[g] ~ student_t(7, a[week[g], home[g]] - a[week[g], away[g]] + hfa, s);
}
