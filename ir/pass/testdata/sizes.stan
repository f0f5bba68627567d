// Sizes of elements in loops over all of them; then loops that may leave the array, and sizes that a declaration does not say.
data {
  int W;
  int N;
  array[W] vector[N] y;
  array[W, N] int k;
  array[W] matrix[N, 3] x;
}
transformed data {
  int M = 2;
  array[W] vector[M] u = rep_array(zeros_vector(M), W);
  M = 3;
}
parameters {
  array[W] vector[N] z;
  vector[3] b;
}
model {
  for (w in 1 : W) {
    vector[num_elements(z[w])] l;
    for (n in 1 : num_elements(z[w])) {
      l[n] = std_normal_lpdf(z[w][n]);
    }
    target += sum(l);
  }
  for (w in 2 : size(y)) {
    for (n in 1 : size(k[w])) {
      target += poisson_log_lpmf(k[w, n] | z[w, n]);
    }
    for (r in 1 : rows(x[w])) {
      for (c in 1 : cols(x[w])) {
        target += normal_lpdf(x[w, r, c] | b[c], 1);
      }
    }
  }
  for (w in 1 : N) {
    target += num_elements(z[w]);
  }
  for (w in 1 : W) {
    array[1] vector[w] q;
    target += num_elements(u[w]) + num_elements(x[w]) + num_elements(q[1]);
  }
}
