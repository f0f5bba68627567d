// N = 5000; P = 200
// w ~ levels(N; P); l ~ levels(N; P)
data { int N; int P; array[N] int w; array[N] int l; }
parameters { real<lower=0> sd_skill; vector[P] raw; }
transformed parameters { vector[P] skill = sd_skill * raw; }
model { sd_skill ~ normal(0, 1); raw ~ std_normal(); 1 ~ bernoulli_logit(skill[w] - skill[l]); }
