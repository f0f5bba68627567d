// One compartment with absorption and saturable elimination, several subjects.
functions {
  vector pk(real t, vector y, real ka, real Vm, real Km, real V, real D) {
    vector[1] dy;
    real dose = t > 0 ? exp(-ka * t) * D * ka / V : 0;
    dy[1] = dose - Vm * y[1] / (V * (Km + y[1]));
    return dy;
  }
}
data {
  int<lower=1> S, T;
  array[T] real times;
  vector[S] D;
  array[S] vector[T] C;
}
parameters {
  vector<lower=0>[4] pop;
  vector<lower=0>[S] V;
  vector<lower=0>[S] ka;
  real<lower=0> sigma;
}
model {
  pop ~ lognormal(0, 0.5);
  V ~ lognormal(log(pop[1]), 0.2);
  ka ~ lognormal(log(pop[2]), 0.2);
  sigma ~ cauchy(0, 0.5);
  for (s in 1:S) {
    array[T] vector[1] x = ode_rk45(pk, [0]', 0, times, ka[s], pop[3], pop[4], V[s], D[s]);
    for (t in 1:T) C[s, t] ~ lognormal(log(x[t, 1]), sigma);
  }
}
