// G = 12; T = 40
// S ~ lognormal(G, T; 0, 0.5); R ~ lognormal(G, T; 0, 0.5)
data { int G; int T; array[G] vector[T] S; array[G] vector[T] R; }
parameters { vector[G] a; vector<lower=0>[G] b; vector<lower=-1, upper=1>[G] rho; vector<lower=0>[G] s; real ma; real<lower=0> sa; }
model {
  ma ~ normal(1, 1); sa ~ normal(0, 1); a ~ normal(ma, sa); b ~ lognormal(0, 1); rho ~ normal(0, 0.5); s ~ normal(0, 1);
  for (g in 1:G) {
    vector[T] e = log(R[g] ./ S[g]) - (a[g] - b[g] * S[g]);
    e[1] ~ normal(0, s[g] / sqrt(1 - square(rho[g])));
    e[2:T] ~ normal(rho[g] * e[1:(T - 1)], s[g]);
  }
}
