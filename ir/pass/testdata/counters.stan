data { int N; int R; int I; vector[N] y; array[N] int g; array[R] int h; matrix[R, I] Y; matrix[N, 2] x; }
transformed data { int last = N - 1; }
parameters { vector[R] a; vector[I] c; vector[2] b; real<lower=0> s; }
model {
  int n;
  int j = 1;
  n = 1;
  while (n <= N) {
    int k = g[n];
    y[n] ~ normal(a[k], s);
    n += 1;
  }
  while (j < last) {
    j = 1 + j;
    y[j] ~ normal(y[j - 1] + a[1], s);
  }
  target += j * a[2];
  for (r in 1:R) {
    int at;
    at = h[r];
    for (q in 1:I) {
      int i = I - q + 1;
      Y[r, i] ~ normal(a[at] + c[i], s);
    }
  }
  for (e in c) target += std_normal_lpdf(e); for (e in y) e ~ normal(0, 1);
  for (i in 1:N) y[i] ~ normal((x * b)[i], s);
  while (j <= N) {
    if (y[j] > 0) break;
    j += 1;
  }
}
