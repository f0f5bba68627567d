// nind = 100; T = 6; S = 3
// y ~ levels(nind, T; 3)
data { int nind; int T; int S; array[nind, T] int y; }
parameters { real<lower=0, upper=1> phiA; real<lower=0, upper=1> phiB; real<lower=0, upper=1> psiAB; real<lower=0, upper=1> psiBA; real<lower=0, upper=1> pA; real<lower=0, upper=1> pB; }
transformed parameters {
  array[3] simplex[3] ps; array[3] simplex[3] po;
  ps[1, 1] = phiA * (1 - psiAB); ps[1, 2] = phiA * psiAB; ps[1, 3] = 1 - phiA;
  ps[2, 1] = phiB * psiBA; ps[2, 2] = phiB * (1 - psiBA); ps[2, 3] = 1 - phiB;
  ps[3, 1] = 0; ps[3, 2] = 0; ps[3, 3] = 1;
  po[1, 1] = pA; po[1, 2] = 0; po[1, 3] = 1 - pA;
  po[2, 1] = 0; po[2, 2] = pB; po[2, 3] = 1 - pB;
  po[3, 1] = 0; po[3, 2] = 0; po[3, 3] = 1;
}
model {
  array[3] real acc; array[T] vector[3] gam;
  for (i in 1:nind) {
    for (k in 1:3) gam[1, k] = k < 3;
    for (t in 2:T) for (k in 1:3) {
      for (j in 1:3) acc[j] = gam[t - 1, j] * ps[j, k] * (0.01 + po[k, y[i, t]]);
      gam[t, k] = sum(acc);
    }
    target += log(sum(gam[T]));
  }
}
