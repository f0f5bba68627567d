// The loops of TestRecurrences.

package bind_test

// recurrenceModels are models by name.
var recurrenceModels = [][2]string{
	{"tiny vectors", `parameters { vector[T] theta; array[K] vector[3] beta; }
model { for (t in 1:T) target += partial_credit(n[t] % 4, theta[t], beta[c[t]]); theta ~ std_normal(); for (k in 1:K) beta[k] ~ std_normal(); }`},
	{"softmax of a row", `parameters { matrix[K, K] A; vector[K] d; }
model { for (t in 1:T) { vector[K] e = A * V[t] + d; c[t] ~ categorical_logit(e); target += log_softmax(e)[1] * y[t]; }
  to_vector(A) ~ std_normal(); d ~ std_normal(); }`},
	{"picked by an integer of the round", `parameters { vector[K] a; real d; }
model { vector[K] x = a; for (t in 1:T) { int k = c[t]; vector[K] z = a * y[t]; x[1] = tanh(x[1] + d) ; target += -square(z[k] + z[4 - k] + d * a[k]); }
  target += -dot_self(x); }`},
	{"picked of what is carried", `parameters { vector[K] a; real d; }
model { vector[K] x = a; for (t in 1:T) { real z = x[c[t]]; x[1] = tanh(x[2] + d); x[2] = x[1] * y[t]; target += -square(z); } }`},
	{"picked within the recurrence", `parameters { vector[K] a; real d; }
model { vector[K] x = a; for (t in 1:T) { x[1] = tanh(x[c[t]] + d); } target += -dot_self(x); }`},
	{"mixture by hand", `parameters { simplex[K] p; ordered[K] mu; vector<lower=0>[K] s; }
model { for (t in 1:T) { vector[K] lps = log(p); for (k in 1:K) lps[k] += normal_lpdf(y[t] | mu[k], s[k]); target += log_sum_exp(lps); }
  mu ~ std_normal(); s ~ lognormal(0, 1); }`},
	{"transformed tiny vectors", `parameters { vector[K] a; real d; }
transformed parameters { array[T] simplex[K] p; for (t in 1:T) p[t] = softmax(a * y[t] + d * cumulative_sum(a)); }
model { for (t in 1:T) c[t] ~ categorical(p[t]); a ~ std_normal(); d ~ std_normal(); }`},
	{"first and last rounds", `parameters { real a; real d; }
model { real x = a; for (t in 1:T) { if (t == 1) x += d; else if (t == T) x = x * d; else x = tanh(x + y[t]); } target += -square(x); }`},
	{"seasons of two kinds", `parameters { real a; real d; }
model { real x = a; for (t in 1:T) { if (t > T %/% 2) x = tanh(x * d); else x = tanh(x + y[t]); target += -square(x - ya[t]); } }`},
	{"normal vectors", `parameters { vector[K] a; vector[K] d; cholesky_factor_corr[K] L; vector<lower=0>[K] s; corr_matrix[K] R; }
model { for (t in 1:T) { V[t] ~ multi_normal_cholesky(a + d * y[t], diag_pre_multiply(s, L)); V[t] ~ multi_normal(d, quad_form_diag(R, s)); }
  a ~ std_normal(); d ~ std_normal(); s ~ lognormal(0, 1); V[1] ~ multi_normal(a, R); }`},
	{"mixture of normal vectors", `parameters { simplex[2] p; array[2] vector[K] mu; array[2] cholesky_factor_corr[K] L; vector<lower=0>[K] s; }
model { array[2] real ps; for (t in 1:T) { for (k in 1:2) ps[k] = log(p[k]) + multi_normal_cholesky_lpdf(V[t] | mu[k], diag_pre_multiply(s, L[k]));
  target += log_sum_exp(ps); } for (k in 1:2) mu[k] ~ std_normal(); s ~ lognormal(0, 1); }`},
	{"normal vectors by round", `parameters { vector[2] a; real<lower=0> s; real d; }
model { for (t in 1:T) { [y[t], d]' ~ multi_normal(a, [[w[t] + s, 0.1], [0.1, 1]]); } a ~ std_normal(); s ~ std_normal(); d ~ std_normal(); }`},
	{"a filter of two numbers", `parameters { vector[2] a; cholesky_factor_cov[2] L; }
model { vector[2] x = a; for (t in 1:T) { vector[2] m = 0.5 * L * x; [y[t], w[t]]' ~ multi_normal_cholesky(m, L); x = tanh(m + V[t][1:2]); }
  a ~ std_normal(); to_vector(L) ~ std_normal(); }`},
	{"normal tails", `parameters { vector[T] a; real m; real<lower=0> s; }
model { y ~ normal(m, s); target += normal_lcdf(y | a, s) + normal_lccdf(ya | m, w + s) + std_normal_lcdf(a) + std_normal_lccdf(m); b ~ bernoulli(Phi(a * m));
  for (t in 1:T) { target += normal_lcdf(y[t] | m, s) * log_mix(Phi(m), normal_lccdf(a[t] | m, s), std_normal_lcdf(w[t] * m)); } a ~ std_normal(); m ~ std_normal(); s ~ std_normal(); }`},
	{"powers", `parameters { vector<lower=0>[T] a; real<lower=0> s; }
model { target += -sum(a ^ 1.5) - s ^ 4 + sum(log(a ^ -0.5)) - (1 + s) ^ -2; a ~ lognormal(0, 1); }`},
	{"processes of few locations", `parameters { real<lower=0> a; real<lower=0> r; vector[K] f; }
model { array[K] real x; for (k in 1:K) x[k] = 0.7 * k; matrix[K, K] L = cholesky_decompose(add_diag(gp_exp_quad_cov(x, a, r), 0.01));
  target += -dot_self(L * f - 0.3) - sum(gp_exp_quad_cov(x, x[1:2], a, r)); f ~ std_normal(); a ~ lognormal(0, 1); r ~ lognormal(0, 1); }`},
	{"matrix diagonal", `parameters { real<lower=0> a; real<lower=0> d; matrix[3, 3] M; }
model { matrix[3, 3] S = crossprod(M); matrix[3, 2] N = S[ , 1:2]; for (i in 1:3) S[i, i] = S[i, i] + a; for (i in 1:2) S[i, i] += d; for (i in 1:2) N[i, i] = a + N[i, i];
  target += log_determinant_spd(S) - dot_self(to_vector(S)) - sum(N); to_vector(M) ~ std_normal(); }`},
	{"int carry", `parameters { real a; }
model { real x = a; int k = 0; for (t in 1:T) { k += n[t]; x = tanh(x + k * 0.1); } target += -square(x); }`},
	{"int local div", `parameters { real a; }
model { real x = a; for (t in 1:T) { int k = n[t] + 1; x = tanh(x + k / 2 + t / 2); } target += -square(x); }`},
	{"int local mod", `parameters { real a; }
model { real x = a; for (t in 1:T) { int k = t % 3; x = tanh(x + (k == 1) + k %/% 2); } target += -square(x); }`},
	{"int fun", `parameters { real a; }
model { real x = a; for (t in 1:T) { x = tanh(half(t, x) + intsq(t)); } target += -square(x); }`},
	{"int fun local", `parameters { real a; }
model { real x = a; for (t in 1:T) { int k = n[t]; x = tanh(half(k, x) + 0.01 * intsq(k)); } target += -square(x); }`},
	{"cond fun", `parameters { real a; }
model { real x = a; for (t in 1:T) { x = tanh(cond(t, x)); } target += -square(x); }`},
	{"inner loop count", `parameters { real a; }
model { real x = a; for (t in 1:T) { for (j in 1:n[t]) x = tanh(x + j); } target += -square(x); }`},
	{"inner fun loop", `parameters { real a; }
model { real x = a; for (t in 1:T) { x = loopf(x, n[t]); } target += -square(x); }`},
	{"inner fun loop fixed", `parameters { real a; }
model { real x = a; for (t in 1:T) { x = loopf(x, 3); } target += -square(x); }`},
	{"ternary data", `parameters { real a; real d; }
model { real x = a; for (t in 1:T) { x = tanh(b[t] ? x + d : x - d); } target += -square(x); }`},
	{"ternary t", `parameters { real a; real d; }
model { real x = a; for (t in 1:T) { x = tanh(t < 3 ? x + d : x * d); } target += -square(x); }`},
	{"and or", `parameters { real a; real d; }
model { real x = a; for (t in 1:T) { x = tanh(x + (b[t] && y[t] > 0) * d + (y[t] < 0 || w[t] > 1)); } target += -square(x); }`},
	{"int step", `parameters { real a; real d; }
model { real x = a; for (t in 1:T) { x = tanh(x + int_step(x) * d); } target += -square(x); }`},
	{"compare carry", `parameters { real a; real d; }
model { real x = a; for (t in 1:T) { x = d - 0.7 * x + (x > d); } target += -square(x); }`},
	{"if param fixed", `parameters { real a; real d; }
model { real x = a; for (t in 1:T) { if (d > 0) x = tanh(x + d); else x = tanh(x) - y[t]; } target += -square(x); }`},
	{"if carry", `parameters { real a; real d; }
model { real x = a; for (t in 1:T) { if (x > d) x = tanh(x + d); else x = tanh(x) - y[t]; } target += -square(x); }`},
	{"fmax", `parameters { real a; real d; }
model { real x = a; for (t in 1:T) { x = fmax(x * d, y[t] + a); } target += -square(x); }`},
	{"lag2", `parameters { real a; real d; }
model { vector[T+2] x; x[1] = a; x[2] = d; for (t in 3:(T+2)) x[t] = 0.5 * x[t-1] - 0.3 * x[t-2] + y[t-2]; target += -0.1*dot_self(x); }`},
	{"lag3 only", `parameters { real a; real d; }
model { vector[T+3] x; x[1] = a; x[2] = d; x[3] = a*d; for (t in 4:(T+3)) x[t] = tanh(x[t-3]) + y[t-3]; target += -0.1*dot_self(x[T:(T+3)]); }`},
	{"lag2 skipping", `parameters { real a; real d; }
model { vector[T+2] x = rep_vector(a, T+2); x[2] = d; for (t in 3:(T+2)) { x[t] = x[t] + 0.5 * x[t-2]; x[t] = tanh(x[t]) * d; } target +=
  -0.1*dot_self(x[1:T]); }`},
	{"lead read", `parameters { real a; vector[T+1] e; }
model { vector[T+1] x = e; for (t in 1:T) { x[t] = tanh(x[t+1] + x[t] + a); } target += -0.1*dot_self(x); }`},
	{"lead and lag", `parameters { real a; vector[T+2] e; }
model { vector[T+2] x = e; for (t in 2:(T+1)) { x[t] = tanh(x[t+1] + x[t-1] + a*x[t]); } target += -0.1*dot_self(x); }`},
	{"lead2 written start", `parameters { real a; vector[T+2] e; }
model { vector[T+2] x; for (i in 1:(T+2)) x[i] = e[i] * i; for (t in 1:T) { x[t] = tanh(x[t+2]-a*x[t+1]); } target += -0.1*dot_self(x); }`},
	{"offset data", `parameters { real a; real d; }
model { vector[T] x = rep_vector(d, T); for (t in 3:T) { x[t] = a * y[t-2] + 0.3 * x[t-1] * y[t - 1] + w[t] ; } target += -0.1*dot_self(x); }`},
	{"write offset", `parameters { real a; real d; }
model { vector[T+3] x = rep_vector(d, T+3); for (t in 0:(T-1)) { x[t+3] = a + 0.3 * x[t+2] * y[t+1] - 0.1 * x[t+1]; } target += -0.1*dot_self(x); }`},
	{"negative bounds", `parameters { real a; real d; }
model { vector[T+3] x = rep_vector(d, T+3); for (t in -T:-1) { x[t+T+2] = a + 0.3 * x[t+T+1] * t; } target += -0.1*dot_self(x); }`},
	{"backward", `parameters { real a; vector[T] e; }
model { vector[T] x = e; for (t in 1:(T-1)) { x[T-t] = tanh(x[T-t+1] + e[T-t]*a); } target += -0.1*dot_self(x); }`},
	{"backward read only", `parameters { real a; vector[T] e; }
model { real x = a; for (t in 1:T) { x = tanh(x + e[T-t+1]*a + y[T-t+1]); } target += -0.1*x; e ~ std_normal(); }`},
	{"backward both", `parameters { real a; vector[T] e; }
model { vector[T] x; for (t in 1:T) { int s = T - t + 1; x[s] = e[s] + (s < T ? x[s + 1] : a); } target += -0.1*dot_self(x); }`},
	{"two carries swapped", `parameters { real a; real d; }
model { real x = a; real z = d; for (t in 1:T) { real o = x; x = z; z = tanh(o + y[t]); } target += -square(x) + z; }`},
	{"fibonacci", `parameters { real a; real d; }
model { array[2] real x = {a, d}; for (t in 1:T) { x = {x[2], 0.5 * x[1] + tanh(x[2])}; } target += -square(x[1]) + x[2]; }`},
	{"vec carry", `parameters { real a; vector[3] d; }
model { vector[3] x = d; for (t in 1:T) { x = tanh(x + a * X[t]'); x[2] = x[1] * x[3]; } target += -dot_self(x); }`},
	{"vec carry reorder", `parameters { real a; vector[3] d; }
model { vector[3] x = d; for (t in 1:T) { x = x[{2,3,1}]; x[1] += a; } target += -dot_self(x); }`},
	{"vec carry idx by data", `parameters { real a; vector[3] d; }
model { vector[3] x = d; for (t in 1:T) { x[c[t]] = tanh(x[1] + a); } target += -dot_self(x); }`},
	{"matrix carry", `parameters { real a; matrix[2,2] M; }
model { matrix[2,2] x = M; for (t in 1:T) { x = 0.3 * x * M + a * y[t]; } target += -sum(square(x)); }`},
	{"matrix rows", `parameters { real a; row_vector[3] r0; }
model { matrix[T,3] x; x[1] = r0; for (t in 2:T) { x[t] = tanh(x[t-1] * a + X[t]); } target += -0.1*sum(square(x)); }`},
	{"matrix cols", `parameters { real a; vector[3] r0; }
model { matrix[3,T] x; x[:,1] = r0; for (t in 2:T) { x[:,t] = tanh(x[:,t-1] * a + X[t]'); } target += -0.1*sum(square(x)); }`},
	{"matrix cols2", `parameters { real a; vector[3] r0; }
model { matrix[3,T] x; x[,1] = r0; for (t in 2:T) { for (k in 1:3) x[k,t] = tanh(x[4-k,t-1] * a + X[t,k]); } target += -0.1*sum(square(x)); }`},
	{"matrix diag", `parameters { real a; }
model { matrix[T,T] x = rep_matrix(a, T, T); for (t in 2:T) { x[t,t] = tanh(x[t-1,t-1] + y[t]); } target += -0.1*sum(square(x)); }`},
	{"array of matrices", `parameters { real a; matrix[2,2] M; }
model { array[T] matrix[2,2] x; x[1] = M; for (t in 2:T) { x[t] = 0.3 * x[t-1] * M' + a * w[t]; } for (t in 1:T) target += -0.1*sum(square(x[t])); }`},
	{"array of arrays", `parameters { real a; array[2] vector[3] M; }
model { array[2, T] vector[3] x; x[1,1] = M[1]; x[2,1] = M[2]; for (t in 2:T) { x[1,t] = tanh(x[2,t-1]); x[2,t] = a * x[1,t] - x[1,t-1]; }
  for (t in 1:T) target += -0.1*sum(square(x[1, t])) + x[2,t,3]; }`},
	{"tuple carry", `parameters { real a; }
model { tuple(real, vector[2]) x = (a, [a, 1]'); for (t in 1:T) { x.1 = tanh(x.1 + y[t]); x.2 = x.2 * 0.3 + x.1; } target += -x.1 - sum(x.2); }`},
	{"tuple elsewhere", `parameters { real a; }
model { tuple(real, vector[2]) x = (a, [a, 1]'); real z = 0; for (t in 1:T) { z = tanh(z + x.1 * x.2[1]); } target += -z; }`},
	{"tuple array read", `parameters { real a; }
model { array[T] tuple(real, real) x; for (t in 1:T) x[t] = (a * t, y[t]); real z = 0; for (t in 1:T) { z = tanh(z + x[t].1 * x[t].2); }
  target += -z; }`},
	{"complex carry", `parameters { real a; real d; }
model { complex z = to_complex(a, d); for (t in 1:T) { z = 0.3 * z * z + y[t]; } target += -get_real(z) ; }`},
	{"nested loops", `parameters { real a; }
model { real z = a; for (i in 1:3) { for (t in 1:T) { z = tanh(z + y[t] * i); } z += i; } target += -square(z); }`},
	{"nested loops 2", `parameters { real a; vector[3] d; }
model { matrix[T,3] z; z[1] = d'; for (t in 2:T) { z[t,1] = a; for (k in 2:3) { z[t,k] = tanh(z[t,k-1] + z[t-1,k] * X[t,k-1]); } } target +=
  -0.1*sum(square(z)); }`},
	{"triangular nest", `parameters { real a; vector[3] d; }
model { vector[T] z = rep_vector(a, T); for (t in 2:T) { for (k in 1:(t-1)) { z[t] += 0.1*tanh(z[k]); } } target += -0.1*dot_self(z); }`},
	{"overwritten after", `parameters { real a; }
model { real z = a; vector[T] x = rep_vector(a, T); for (t in 2:T) { z = tanh(z + y[t]); x[t] = x[t-1] * z; } z = a * 2; x[1] = 0; x[T] = z;
  target += -square(z) - 0.1*dot_self(x); }`},
	{"unused result", `parameters { real a; }
model { real z = a; vector[T] x = rep_vector(a, T); for (t in 2:T) { z = tanh(z + y[t]); x[t] = x[t-1] * z; } target += -square(a); }`},
	{"partial result", `parameters { real a; }
model { vector[T] x = rep_vector(a, T); for (t in 2:T) { x[t] = tanh(x[t-1]) * a + y[t]; } target += -square(x[(T+1) %/% 2]); }`},
	{"partial strided", `parameters { real a; }
model { vector[T] x = rep_vector(a, T); for (t in 2:T) { x[t] = tanh(x[t-1]) * a + y[t]; } for (i in 1:(T %/% 2)) x[2*i] ~ normal(y[i], 1+w[i]); }`},
	{"reverse of result", `parameters { real a; }
model { vector[T] x = rep_vector(a, T); for (t in 2:T) { x[t] = tanh(x[t-1]) * a + y[t]; } x = reverse(x); for (t in 2:T) x[t] = x[t] *
  x[t-1]; target += -0.1*dot_self(x); }`},
	{"gather result", `parameters { real a; }
model { vector[T] x = rep_vector(a, T); for (t in 2:T) { x[t] = tanh(x[t-1]) * a + y[t]; } y ~ normal(x[idx], 1); x[sort_asc(idx)] ~ normal(0, 1); }`},
	{"param arrays", `parameters { array[T] real a; vector<lower=0>[T] s; }
model { real z = 0; for (t in 1:T) { z = 0.5 * z + a[t] * s[t]; y[t] ~ normal(z, s[t]); } }`},
	{"param array of vectors", `parameters { array[T] vector[3] a; simplex[3] s; }
model { vector[3] z = s; for (t in 1:T) { z = 0.5 * z .* a[t] + s; y[t] ~ normal(z[c[t]], 1); } }`},
	{"param gather idx", `parameters { vector[3] a; vector[T] e; }
model { real z = 0; for (t in 1:T) { z = 0.5 * z + a[c[t]] + e[idx[t]] * e[t]; } target += -square(z); e ~ normal(0, 2); }`},
	{"neg scale inside", `parameters { real a; real s; }
model { real z = a; for (t in 1:T) { z = z * 0.9 - 0.1 * t * s; y[t] ~ normal(0, z + 1); } }`},
	{"neg scale late", `parameters { real a; real s; }
model { real z = a; for (t in 1:T) { z = z * 0.9 - 0.1 * t * s; } y ~ normal(0, z + 1); }`},
	{"neg scale vec", `parameters { real a; real s; }
model { vector[T] z = rep_vector(a + 1, T); for (t in 2:T) { z[t] = z[t-1] * 0.9 - 0.05 * t * s; } y ~ normal(0, z); }`},
	{"neg shape gamma", `parameters { real a; real s; }
model { real z = a + 1; for (t in 1:T) { z = z * 0.9 - 0.1 * s; w[t] + 0.1 ~ gamma(z, exp(a)); } }`},
	{"bern prob", `parameters { real a; real s; }
model { real z = 0.5; for (t in 1:T) { z += 0.1 * a; b[t] ~ bernoulli(z); } s ~ normal(0,1); }`},
	{"reject inside", `parameters { real a; real s; }
model { real z = 0.5; for (t in 1:T) { z += 0.1 * a; if (z > 1) reject("no ", z); } s ~ normal(z,1); }`},
	{"constraint tp", `parameters { real a; real s; }
transformed parameters { vector<lower=0>[T] z; z[1] = exp(a); for (t in 2:T) z[t] = z[t-1] - 0.1 * s; }
model { y ~ normal(0, 1 + z); s ~ normal(0,1); }`},
	{"constraint simplex tp", `parameters { real a; simplex[3] s; }
transformed parameters { array[T] simplex[3] z; z[1] = s; for (t in 2:T) z[t] = softmax(log(z[t-1]) + a * X[t]'); }
model { for (t in 1:T) c[t] ~ categorical(z[t]); a ~ normal(0,1); }`},
	{"constraint ordered tp", `parameters { real a; real s; }
transformed parameters { ordered[T] z; z[1] = a; for (t in 2:T) z[t] = z[t-1] + s; }
model { y ~ normal(z, 1); s ~ normal(0,1); }`},
	{"constraint lower param", `parameters { real a; real s; }
transformed parameters { vector<lower=a>[T] z; z[1] = a; for (t in 2:T) z[t] = z[t-1] + s * w[t]; }
model { y ~ normal(z, 1); s ~ normal(0,1); }`},
	{"sqrt domain", `parameters { real a; real s; }
model { vector[T] z; z[1] = a + 1; for (t in 2:T) z[t] = sqrt(z[t-1] - 0.1*s); y ~ normal(0, z); s ~ normal(0,1); a ~ normal(0,1); }`},
	{"log domain", `parameters { real a; real s; }
model { real z = a + 1; for (t in 2:T) { z = z - 0.1 * s; target += log(z); } s ~ normal(0,1); a ~ normal(0,1); }`},
	{"gq loop", `parameters { real a; }
model { a ~ normal(0,1); }
generated quantities { vector[T] z; real m = a; z[1] = a; for (t in 2:T) { z[t] = tanh(z[t-1]) + y[t]; m += z[t]; } real q = z[T] + m; }`},
	{"tp gq", `parameters { real a; }
transformed parameters { vector[T] z; z[1] = a; for (t in 2:T) { z[t] = tanh(z[t-1]*a) + y[t]; } }
model { y ~ normal(z, 1); }
generated quantities { vector[T] u = z; for (t in 2:T) u[t] = u[t-1] * 0.5 + z[t]; int cnt = 0; for (t in 1:T) if (z[t] > 0) cnt += 1; }`},
	{"gq reject", `parameters { real a; }
transformed parameters { vector[T] z; z[1] = a; for (t in 2:T) { z[t] = z[t-1] + a; } }
model { a ~ normal(0,1); }
generated quantities { vector<upper=1>[T] u = z; for (t in 2:T) u[t] = u[t-1] * 0.9 + z[t]*0.1; }`},
	{"target inside", `parameters { real a; real<lower=0> s; }
model { real z = a; for (t in 1:T) { target += normal_lpdf(y[t] | z, s); z = tanh(z + y[t]); target += -0.1 * z; target += s; } }`},
	{"target vec inside", `parameters { real a; vector[3] d; }
model { real z = a; for (t in 1:T) { target += normal_lpdf(X[t] | z, exp(d)); z = tanh(z + y[t]); target += -0.1 * d; X[t] ~ normal(d * z, 1); } }`},
	{"target const", `parameters { real a; }
model { real z = a; for (t in 1:T) { target += 2; target += y[t]; target += a; z = tanh(z + y[t]); } target += z; }`},
	{"target scalar lp fn", `parameters { real a; }
model { real z = a; for (t in 1:T) { z = tanh(z + y[t]) + wide_lp(z); } target += -z*z; }`},
	{"counts inside", `parameters { real a; real d; }
model { real z = a; for (t in 1:T) { z = tanh(z + d); n[t] ~ poisson_log(z); n[t] ~ poisson(exp(z)); b[t] ~ bernoulli_logit(z); n[t] ~
  binomial(5, inv_logit(z)); n[t] ~ neg_binomial_2_log(z, exp(d)); n[t] ~ neg_binomial_2(exp(z), exp(d)); } }`},
	{"counts inside 2", `parameters { real a; real d; }
model { real z = a; for (t in 1:T) { z = tanh(z + d); n[t] ~ binomial_logit(n[t] + 2, z); n[t] ~ beta_binomial(6, exp(z), exp(d)); n[t] ~
  neg_binomial(exp(z), exp(d)); N2[t] ~ poisson_log(z); c[t] ~ categorical_logit([z, d, 0]'); c[t] ~ ordered_logistic(z, [-1, d > 0 ? 1 + d
  : 1]'); } }`},
	{"multinomial inside", `parameters { real a; vector[3] d; }
model { vector[3] z = d; for (t in 1:T) { z = tanh(z + a); N2[t] ~ multinomial(softmax(z)); N2[t] ~ multinomial_logit(z); } }`},
	{"cont inside", `parameters { real a; real d; }
model { real z = a; for (t in 1:T) { z = tanh(z + d); y[t] ~ student_t(exp(d), z, exp(z)); y[t] ~ cauchy(z, 1); y[t] ~ logistic(z, exp(d));
  y[t] ~ double_exponential(z, exp(d)); y[t] ~ skew_normal(z, exp(d), z); y[t] ~ gumbel(z, exp(d)); w[t] + 0.1 ~ lognormal(z, exp(d)); w[t]
  + 0.1 ~ gamma(exp(z), exp(d)); w[t]+.1 ~ inv_gamma(exp(z), exp(d)); w[t]+.1 ~ weibull(exp(z), exp(d)); w[t] ~ exponential(exp(z));
  inv_logit(y[t]) ~ beta(exp(z), exp(d)); } }`},
	{"cont inside 2", `parameters { real a; real d; }
model { real z = a; for (t in 1:T) { z = tanh(z + d); y[t] ~ exp_mod_normal(z, exp(z), exp(d)); y[t] ~ von_mises(z, exp(d)); w[t] + 0.1 ~
  frechet(exp(z), exp(d)); w[t]+.1 ~ rayleigh(exp(z)); w[t]+.1 ~ chi_square(exp(z)); w[t]+1.1 ~ pareto(1, exp(z)); w[t]+.1 ~
  inv_chi_square(exp(z)); w[t]+.1 ~ scaled_inv_chi_square(exp(z), exp(d)); inv_logit(y[t]) ~ beta_proportion(inv_logit(z), exp(d)); y[t] ~
  uniform(-10, 10 + exp(z)); w[t] + .01 ~ wiener(1.5 + exp(z), 0.005, 0.5, d); } }`},
	{"cdf inside", `parameters { real a; real d; }
model { real z = a; for (t in 1:T) { z = tanh(z + d); target += normal_lcdf(y[t] | z, exp(d)); target += normal_lccdf(y[t] | z, exp(d));
  target += Phi_approx(z) + log(Phi(z)); target += log1m_exp(-exp(z)) + log1p_exp(z) + log_diff_exp(2 + z, z - 3); y[t] ~ normal(z, 1) T[-5,
  ]; } }`},
	{"mvn inside", `parameters { real a; vector[3] d; cholesky_factor_corr[3] L; }
model { vector[3] z = d; for (t in 1:T) { z = tanh(z + a); V[t] ~ multi_normal_cholesky(z, L); } }`},
	{"matrix fns inside", `parameters { real a; vector[2] d; }
model { vector[2] z = d; matrix[2,2] P = [[2,0.1],[0.1,1]]; for (t in 1:T) { z = (P * z) * 0.3 + a; P = 0.5 * P + 0.1 * tcrossprod(P) +
  diag_matrix(exp(-square(z))); target += quad_form(P, z) * 0.01 - dot_product(z, z); } }`},
	{"log mix", `parameters { real a; real<lower=0,upper=1> p; }
model { real z = a; for (t in 1:T) { z = tanh(z + p); target += log_mix(p, normal_lpdf(y[t]|z,1), normal_lpdf(y[t]|-z,2)); } }`},
	{"special fns", `parameters { real a; real<lower=0,upper=1> p; }
model { real z = a; for (t in 1:T) { z = tanh(z + p); target += lgamma(2 + z) - digamma(2+z) + lbeta(2+z, 3) + lchoose(5, 2) * z + erf(z) +
  log1p(p*exp(z)) + expm1(z) + cbrt(z+2) + asinh(z) + hypot(z, p) + fma(z, p, z) + pow(2 + z, p) + z^2 + inv(2+z) + inv_sqrt(2+z) + abs(z) +
  floor(z) + step(z) + fdim(z, p) + fmod(z + 3, 2) + inv_Phi(0.5+0.4*z) + bessel_first_kind(1, z+2) + modified_bessel_first_kind(1, z) +
  gamma_p(2+z, 3) + owens_t(z, p) + log_modified_bessel_first_kind(1.5, 2+z) + beta(2+z,p+1) + tgamma(2+z) + lmultiply(2+z, 2+z) + p*p +
  log_falling_factorial(4+z, 2) + trigamma(z+2) + round(z) + trunc(z) + log_inv_logit_diff(z+3, z) + atan2(z, p) + square(z) + exp2(z) +
  log2(z+2) + log10(z+2) + sin(z)+cos(z)+tan(z) + sinh(z) + cosh(z) + acos(z*.9) + atanh(z*.9)+ logit(0.5+.4*z) + log_inv_logit(z)+
  log1m(p*.5) + log1m_inv_logit(z); } }`},
	{"data carry", `parameters { real a; }
model { real m = 0; vector[T] r; for (t in 1:T) { m += y[t]; r[t] = m * a; } target += -0.1*dot_self(r); }`},
	{"data carry becomes param", `parameters { real a; }
model { real m = 0; real q = 1; for (t in 1:T) { q = m; m = a + y[t]; } target += -q*q - m; }`},
	{"data container partly", `parameters { real a; }
model { vector[T] r = y; for (t in 2:T) { r[t] = r[t] + a * r[t-1]; } target += -0.1*dot_self(r); }`},
	{"param only first round", `parameters { real a; }
model { vector[T] r = y; r[1] = a; for (t in 2:T) { r[t] = 0.5 * r[t-1]; } target += -0.1*dot_self(r); }`},
	{"constant writes", `parameters { real a; }
model { vector[T] r = rep_vector(a, T); real z = a; for (t in 2:T) { r[t] = 2; z = 3; } target += -0.1*dot_self(r) - z; }`},
	{"const param writes", `parameters { real a; }
model { vector[T] r; real z = 0; for (t in 1:T) { r[t] = a; z = a * 2 + z; } target += -0.1*dot_self(r) - z*z; }`},
	{"nan start", `parameters { real a; }
model { real z; vector[T] r; for (t in 1:T) { z = a * y[t]; r[t] = z; } target += -0.1*dot_self(r) - z*z; }`},
	{"nan read", `parameters { real a; }
model { real z; vector[T] r; for (t in 1:T) { r[t] = t == 1 ? a : z; z = a * y[t]; } target += -0.1*dot_self(r) - z*z; }`},
	{"division by carry to zero", `parameters { real a; }
model { real z = a - a; for (t in 1:T) { z = z / (z + w[t]) + a; } target += -z*z; }`},
	{"overflow", `parameters { real a; }
model { real z = a; for (t in 1:T) { z = exp(z); } target += -z; }`},
	{"long if-else on data const", `parameters { real a; }
model { real z = a; for (t in 1:T) { if (K == 3) z = tanh(z + y[t]); else z = 0; } target += -z; }`},
	{"break continue", `parameters { real a; }
model { real z = a; for (t in 1:T) { if (t == 5) continue; z = tanh(z + y[t]); if (t > 6) break; } target += -z; }`},
	{"while", `parameters { real a; }
model { real z = a; int t = 1; while (t <= T) { z = tanh(z + y[t]); t += 1; } target += -z; }`},
	{"foreach", `parameters { real a; }
model { real z = a; for (v in y) { z = tanh(z + v); } for (v in V) { z += 0.1 * sum(v); } target += -z*z; }`},
	{"foreach inside", `parameters { real a; }
model { real z = a; for (t in 1:T) { for (v in V[t]) z = tanh(z + v); } target += -z*z; }`},
	{"foreach param inside", `parameters { vector[3] a; }
model { real z = 0; for (t in 1:T) { for (v in a) z = tanh(z + v + y[t]); } target += -z*z; }`},
	{"shadow reuse var", `parameters { real a; }
model { real z = a; for (t in 1:T) { real u; u = z; for (k in 1:2) { real v = u * k; u = tanh(v + y[t]); } z = u; } for (t in 1:T) { real u
  = z * y[t]; z = tanh(u); } target += -z*z; }`},
	{"local vec in loop", `parameters { real a; }
model { real z = a; for (t in 1:T) { vector[3] u; u[1] = z; for (k in 2:3) u[k] = tanh(u[k-1] + X[t,k]); z = sum(u) / 3; } target += -z*z; }`},
	{"local size n[t]", `parameters { real a; }
model { real z = a; for (t in 1:T) { vector[n[t]] u = rep_vector(z, n[t]); z = 0.1 * sum(u) + a; } target += -z*z; }`},
	{"local uninit part", `parameters { real a; }
model { real z = a; for (t in 1:T) { vector[2] u; u[1] = z; z = tanh(u[1]) + a; } target += -z*z; }`},
	{"two loops chain", `parameters { real a; vector[T] e; }
model { vector[T] f; vector[T] g; f[1] = a; for (t in 2:T) f[t] = tanh(f[t-1] + e[t]); g[1] = f[T]; for (t in 2:T) g[t] = g[t-1] * 0.5 +
  f[t] * f[t-1]; target += -0.1*dot_self(g); e ~ std_normal(); }`},
	{"loop uses earlier final", `parameters { real a; vector[T] e; }
model { real s = 0; for (t in 1:T) s = 0.5 * s + e[t]; real u = a; for (t in 1:T) u = tanh(u * s + e[t]); target += -u * u * s; e ~ std_normal(); }`},
	{"same loop twice fn", `parameters { real a; vector[T] e; }
model { vector[T] f = walk(e, tanh(a), 0.5); vector[T] g = walk(f, 0.5, a); target += -0.1*dot_self(g) - early(e, a) - sumrec(e, a); e ~
  std_normal(); }`},
	{"profile", `parameters { real a; }
model { real z = a; for (t in 1:T) { profile("x") { z = tanh(z + y[t]); } } target += -z; }`},
	{"range slice", `parameters { real a; vector[T+2] e; }
model { real z = a; for (t in 1:T) { z = tanh(z + sum(e[t:(t+2)])) + dot_product(e[t:t+1], y[{t,t}]); } target += -z; e ~ std_normal(); }`},
	{"range slice grow", `parameters { real a; vector[T+2] e; }
model { real z = a; for (t in 1:T) { z = tanh(z + sum(e[1:t])) + sum(head(e, t)) + sum(e[t:]); } target += -z; e ~ std_normal(); }`},
	{"segment fn", `parameters { real a; vector[T+2] e; }
model { real z = a; for (t in 1:T) { z = tanh(z + sum(segment(e, t, 2))); } target += -z; e ~ std_normal(); }`},
	{"row col fns", `parameters { real a; matrix[T,3] e; }
model { real z = a; for (t in 1:T) { z = tanh(z + sum(row(e, t)) + dot_product(X[t], e[t]) + col(e, 2)[t] + e[t,2]); } target += -z;
  to_vector(e) ~ std_normal(); }`},
	{"param matrix diag", `parameters { matrix[T,T] e; }
model { real z = 0; for (t in 1:T) { z = tanh(z + e[t,t] + e[t, T-t+1] + e[1,t]); } target += -z; to_vector(e) ~ std_normal(); }`},
	{"index of index", `parameters { vector[T] e; }
model { real z = 0; for (t in 1:T) { z = tanh(z + e[idx[idx[t]]] + e[c[t] < T ? c[t] : T]); } target += -z; e ~ std_normal(); }`},
	{"transformed data tables", `transformed data { vector[T] u; u[1] = 1; for (t in 2:T) u[t] = u[t-1] * 0.5 + y[t]; array[T] int h; for (t in 1:T) h[t] = t %/% 2 + 1; }
parameters { vector[T] e; }
model { real z = 0; for (t in 1:T) { z = tanh(z + e[t] * u[h[t]]); } target += -z; e ~ std_normal(); }`},
	{"minus zero data", `transformed data { vector[T] u = rep_vector(0, T); if (T > 2) u[2] = -u[2]; }
parameters { real a; }
model { real z = 0; for (t in 1:T) { z = tanh(z + a + 1 / (1 + exp(1/u[t]))); } target += -z*z; }`},
	{"nan inf data", `transformed data { vector[T] u = rep_vector(0, T); u[T] = not_a_number(); vector[T] v = y; v[1] = positive_infinity(); v[T] = negative_infinity(); }
parameters { real a; }
model { real z = 0; for (t in 1:T) { z = inv_logit(z + a + v[t]); } target += -z*z; real q = a; for (t in 1:T) { q = tanh(q + fmax(u[t],
  v[t])); } target += q; }`},
	{"nan data poison", `transformed data { vector[T] u = rep_vector(0, T); u[(T+1) %/% 2] = not_a_number(); }
parameters { real a; }
model { real z = 0; for (t in 1:T) { z = tanh(z + a + u[t]); } target += -z*z; }`},
	{"vector ops on carry container", `parameters { vector[3] a; }
model { array[T] vector[3] f; f[1] = a; for (t in 2:T) { f[t] = f[t-1]; f[t][2] = f[t-1][1] * y[t]; f[t,3] += 0.1; } target +=
  -0.1*dot_self(f[T]) + f[1,2] - square(f[T][2]); }`},
	{"softmax transitions", `parameters { matrix[3,3] A; }
model { vector[3] p = [1,0,0]'; for (t in 1:T) { p = softmax(A * p + X[t]'); c[t] ~ categorical(p); } to_vector(A) ~ normal(0,1); }`},
	{"lse", `parameters { matrix[3,3] A; }
model { vector[3] p = [0.1,0,0]'; for (t in 1:T) { vector[3] q; for (k in 1:3) q[k] = log_sum_exp(p + A[,k]) + X[t,k]; p = q - max(q); }
  target += log_sum_exp(p); to_vector(A) ~ normal(0,1); }`},
	{"viterbi max", `parameters { matrix[3,3] A; }
model { vector[3] p = [0.1,0,0]'; for (t in 1:T) { vector[3] q; for (k in 1:3) q[k] = max(p + A[,k]) + X[t,k]; p = q; } target +=
  -0.01*square(max(p)) ; to_vector(A) ~ normal(0,1); }`},
	{"sort in loop", `parameters { vector[3] A; }
model { vector[3] p = A; for (t in 1:T) { p = sort_asc(p * 0.5 + X[t]'); } target += -dot_self(p); A ~ normal(0,1); }`},
	{"reduce fns", `parameters { vector[3] A; }
model { vector[3] p = A; for (t in 1:T) { p = p * 0.5 + X[t]' + variance(p) - sd(p+X[t]') + mean(p) + prod(p) * 0.01 + 0.1*distance(p, A) +
  norm2(p) * 0.1; p = cumulative_sum(p) * 0.3; } target += -dot_self(p); A ~ normal(0,1); }`},
	{"discrete marginal", `parameters { ordered[2] mu; real<lower=0,upper=1> p; }
model { real z = 0; mu ~ normal(0, 2); for (t in 1:T) { z = tanh(0.5 * z + y[t]); vector[2] lp; for (k in 1:2) lp[k] = log(k == 1 ? p : 1 -
  p) + normal_lpdf(y[t] | mu[k] + z, 1); target += log_sum_exp(lp); } }`},
	{"many small loops", `parameters { vector[3] a; }
model { real z = 0; for (k in 1:40) { for (t in 1:T) z = tanh(z + a[1] * y[t]); } target += -z*z; a ~ normal(0,1); }`},
	{"jac stmt", `parameters { real a; }
transformed parameters { real z = a; for (t in 1:T) { z = tanh(z + y[t]); jacobian += -0.1 * z * z; } }
model { a ~ normal(0, 1); }`},
	{"assign self slice", `parameters { vector[T] e; }
model { vector[T] x = e; for (t in 2:T) { x[t] = x[t-1]; } target += -0.1 * dot_self(x) + x[T]; e ~ normal(0,1); }`},
	{"param index in write col", `parameters { vector[3] a; }
model { matrix[T,3] M = rep_matrix(0.5, T, 3); for (t in 2:T) { M[t,1] = a[1] + 0.5 * M[t-1,3]; M[t,2] = M[t-1,1] * a[2]; } target += -0.1 *
  sum(square(M)); a ~ normal(0,1); }`},
	{"two lags two containers", `parameters { real a; real d; }
model { vector[T+3] f = rep_vector(a, T+3); vector[T+3] g = rep_vector(d, T+3); for (t in 4:(T+3)) { f[t] = 0.3*f[t-1] + 0.2*g[t-3] ; g[t-1]
  = 0.4*g[t-2] + f[t-2] + f[t]; } target += -0.1*dot_self(f) - 0.1*dot_self(g); }`},
	{"write before and after offset", `parameters { real a; real d; }
model { vector[T+3] f = rep_vector(a, T+3); for (t in 1:T) { f[t+2] = d * f[t+1] + f[t] + f[t+3]; } target += -0.01*dot_self(f); }`},
	{"arrays through a function", `parameters { real a; }
model { array[2] real s = {a, 1}; for (t in 1:T) s = turn(s, y[t], a); target += -s[1] - s[2]^2; }`},
	{"a condition on what a loop leaves", `parameters { real a; vector[T] e; }
model { vector[T] x; x[1] = a; for (t in 2:T) x[t] = 0.7 * x[t-1] + e[t]; if (x[T] > 0) target += -x[T]; else target += x[T]^3; e ~ std_normal(); a ~ std_normal(); }`},
	{"an index from what a loop leaves", `parameters { real a; vector[T] e; }
model { real x = a; for (t in 1:T) x = tanh(x + e[t]); target += -square(e[x > 0 ? 1 : T]); e ~ std_normal(); a ~ std_normal(); }`},
	{"what the target is, in a function", `parameters { real a; }
model { a ~ std_normal(); real z = 0; for (t in 1:T) { z = so_far_lp(z) + y[t]; target += -square(z - a); } target += z; }`},
	{"the target after rounds, in a function", `parameters { real a; }
model { a ~ std_normal(); real z = 0; for (t in 1:T) { target += -square(z - a); z = so_far_lp(z) + y[t]; } target += z; }`},
	{"data of both zeros", `transformed data { vector[T] u = rep_vector(0, T); if (T > 2) u[2] = -u[2]; }
parameters { real a; }
model { real z = 0; for (t in 1:T) z = tanh(z + a) + 0.1 * atan2(u[t] * exp(a), -1); target += -z * z; }`},
	{"parts of what a round hands on", `parameters { real a; }
model { matrix[3, 3] P = diag_matrix([1, a, 2]'); for (t in 1:T) { P[1:2, 3] = P[2:3, 1] * 0.5 + a; P[3] = X[t] * 0.1; P[, 1] = P[1]' - P[, 2]; }
target += -0.01 * sum(square(P)); }`},
	{"many carries", `parameters { vector[20] s; }
model { vector[20] x = s; for (t in 1:T) { vector[20] o = x; for (k in 1:20) x[k] = 0.5 * o[21 - k] * x[1 + k % 20] + 0.1 * y[t]; } target += -dot_self(x); s ~ std_normal(); }`},
	{"a counter of its own", `parameters { real a; }
model { vector[T] x; real k = 1; x[1] = a; for (t in 2:T) { k += 1; x[t] = x[t - 1] * 0.5 + a / k; } target += -dot_self(x); }`},
	{"an index of its own", `parameters { real a; vector[T] e; }
model { real x = a; int k = 0; for (t in 1:T) { k += 1; x = tanh(x + e[k]); } int j = T; for (t in 1:T) { x = tanh(x - e[j]); j -= 1; } target += -x * x; e ~ std_normal(); }`},
	{"a loop's variable hides one", `parameters { real a; }
model { real x = a; for (t in 1:T) { x = tanh(x + y[t]); for (s in 1:2) { real q = x * s; x = q + 0.1; } } for (s in 1:T) { real q = x - y[s]; x = 0.5 * q; } target += -x * x; }`},
	{"rejections of both kinds", `parameters { real a; real d; }
model { real x = exp(a); for (t in 1:T) { x = 0.9 * x + 0.2 * d; y[t] ~ normal(0, x); w[t] ~ exponential(1.5 + x - d); target += log(x + 1); } }`},
	{"integers of the round in functions", `parameters { real a; }
model { real z = a; for (t in 1:T) { z = tanh(z); target += pow(2 + z, n[t]) * 0.01 + (1.5 + z)^c[t] + lchoose(n[t] + 2 + z, 1) + bessel_first_kind(c[t], z + 2)
+ modified_bessel_first_kind(n[t], z) + ldexp(z, c[t]) + lmgamma(c[t], 4 + z) + falling_factorial(5 + z, c[t]) + rising_factorial(5 + z, n[t])
+ log_falling_factorial(9 + z, n[t]) + choose(4, b[t]) * z + bessel_second_kind(c[t], 3 + z); } }`},
	{"truncation by data of the round", `parameters { real a; real d; }
model { real z = a; for (t in 1:T) { z = tanh(z + d); y[t] ~ normal(z, exp(d)) T[-9, 9 + w[t]]; w[t] ~ exponential(exp(z)) T[, 20 + w[t]]; n[t] ~ poisson(exp(z)) T[, 30 + n[t]]; } }`},
	{"variates outside of the support", `transformed data { vector[T] u = w; u[T] = T > 2 ? -1 : 1; }
parameters { real a; real d; }
model { real z = a; for (t in 1:T) { z = tanh(z + d); u[t] ~ uniform(-2, exp(z)); target += uniform_lpdf(y[t] | -1, 3 + z); } }`},
	{"elements chosen by functions", `parameters { real a; vector[3] d; }
model { vector[3] z = d; for (t in 1:T) { z = tanh(z + a * X[t]'); target += max(z) - min(z) + z[c[t]] + log_softmax(z)[c[t]] - norm1(z) + sum(head(z, 2)) + sum(tail(z, b[t] + 1)); } }`},
	{"constant densities of data", `parameters { real a; }
model { real z = a; for (t in 1:T) { z = tanh(z + y[t]); target += normal_lpdf(y[t] | 0, 1); n[t] ~ poisson(2); if (n[t] > 100) target += z; } target += z; }`},
	{"sums on the log scale", `parameters { real a; vector[K] d; }
model { vector[T] eta = X * d; real r = negative_infinity(); real u = a; real v = -a;
  for (t in 1:T) { r = log_sum_exp(r, eta[t]); if (b[t] == 1) target += eta[t] - r; u = log_sum_exp(a * y[t], u); target += -0.1 * u * ya[t];
    if (n[t] > 1) v = log_sum_exp({v, eta[t] - 3}); else target += tanh(v); } target += -square(v); d ~ std_normal(); a ~ std_normal(); }`},
	{"sums on the log scale that go backwards", `parameters { real a; vector[K] d; }
model { vector[T] eta = X * d; vector[T] s; real r = negative_infinity(); for (i in 1:T) { int t = T + 1 - i; r = log_sum_exp(r, eta[t]); s[t] = r; if (b[t] == 1) target += a * eta[t] - r; }
  target += -dot_self(tanh(s)); d ~ std_normal(); a ~ std_normal(); }`},
	{"sums on the log scale of far and of impossible terms", `transformed data { vector[T] far; for (t in 1:T) far[t] = t % 3 == 1 ? negative_infinity() : 700.0 * (c[t] - 2); }
parameters { real a; real d; }
model { real r = negative_infinity(); real u = 900 * a; for (t in 1:T) { r = log_sum_exp(r, far[t] + d * y[t]); u = log_sum_exp(u, far[t] * a); if (t > 1) target += 0.001 * r - 0.002 * u; } d ~ std_normal(); a ~ std_normal(); }`},
	{"counts without zero, and small ones", `transformed data { array[T] int some; array[T] int few; for (t in 1:T) { some[t] = n[t] + 1; few[t] = n[t] % 3; } }
parameters { vector[K] d; real<lower=0> s; }
model { for (t in 1:T) { real m = exp(X[t] * d); some[t] ~ poisson(m) T[1, ]; some[t] ~ binomial(9, inv_logit(X[t] * d)) T[1, ]; some[t] ~ neg_binomial_2(m, s) T[1, ];
    few[t] ~ poisson(m) T[ , 2]; few[t] ~ neg_binomial(s, m) T[ , 3]; few[t] ~ beta_binomial(9, m, s) T[ , 2];
    target += binomial_lcdf(1 | 2 + n[t], inv_logit(X[t] * d)) + beta_binomial_lccdf(0 | n[t] + 1, m, s) + poisson_lccdf(few[t] | m); }
  d ~ std_normal(); s ~ lognormal(0, 1); }`},
	{"gamma densities of elements", `transformed data { vector<lower=0>[T] u = w + 0.01; }
parameters { vector[K] d; real<lower=0> s; }
model { for (t in 1:T) { real m = exp(X[t] * d); target += log_mix(0.3, gamma_lpdf(u[t] | s, m), gamma_lpdf(u[t] | 3 * s, s)) + log_sum_exp(gamma_lpdf(m | m, s), -1); }
  u ~ gamma(s, exp(d[1])); u ~ gamma(2 * s, exp(d[c])); d ~ std_normal(); s ~ lognormal(0, 1); }`},
	{"probabilities of the round by hand", `parameters { vector[K] d; ordered[2] e; real a; }
model { real z = a; for (t in 1:T) { vector[3] theta; real eta = X[t] * d; theta[1] = 1 - Phi(eta - e[1]); theta[2] = Phi(eta - e[1]) - Phi(eta - e[2]); theta[3] = Phi(eta - e[2]);
    c[t] ~ categorical(theta); z = tanh(z + eta); target += categorical_lpmf(c[t] | [inv_logit(z) / 2, inv_logit(-z) / 2, 0.5]'); } d ~ std_normal(); e ~ std_normal(); }`},
	{"probabilities of the round that are none", `parameters { vector[K] d; real a; }
model { for (t in 1:T) { vector[3] theta = [0.2, 0.3 + y[t] * a, 0.5 - y[t] * a]'; c[t] ~ categorical(theta); } a ~ std_normal(); d ~ std_normal(); }`},
	{"few numbers that many rounds repeat", `parameters { vector[K] d; real<lower=0> s; vector<lower=0, upper=1>[K] p; }
model { vector[T] v = exp(d[c]); for (t in 1:T) target += -0.1 * log1p_exp(d[c[t]]) * y[t] + log(p[c[t]]) - sqrt(s + square(d[c[t]]));
  target += sum(log1m(p[c])) - sum(v) + dot_product(w, inv_logit(d[c] - s)) - sum(pow(v, s)) / 9 + sum(d[c]); for (t in 1:T) for (u in 1:2) n[t] ~ poisson(t < 5 * u ? v[1] : s); }`},
	{"compositions of the round", `transformed data { array[T] simplex[3] u; for (t in 1:T) u[t] = softmax([y[t], 0.3, -y[t]]'); array[T] vector[3] bad = u; if (T == 9) bad[4][1] += 0.1; if (T == 3) bad[2] = [1, 0, 0]'; }
parameters { vector[3] a; vector[3] d; real s; }
model { for (t in 1:T) { u[t] ~ dirichlet(exp(s) * softmax(a + d * y[t]) + 0.01); target += 0.1 * dirichlet_lpdf(softmax(a * y[t]) | exp(d)); } a ~ std_normal(); d ~ std_normal(); s ~ std_normal();
  for (t in 1:T) bad[t] ~ dirichlet(exp(d + y[t])); if (s > 3) for (t in 1:T) u[t] ~ dirichlet(a + w[t]); }`},
	{"compositions that may be rejected", `transformed data { array[T] simplex[3] u; for (t in 1:T) u[t] = softmax([y[t], 0.3, -y[t]]'); }
parameters { vector[3] a; } model { for (t in 1:T) u[t] ~ dirichlet(1.5 + a + 0.1 * w[t]); a ~ std_normal(); }`},
	{"rows that repeat", `transformed data { matrix[T, 2] Z; vector[T] u; array[T] int m; for (t in 1:T) { Z[t] = [c[t], b[t] - 0.5]; u[t] = 0.3 * c[t]; m[t] = n[t] + 2; } }
parameters { vector[K] a; vector[2] d; real<lower=0> s; }
model { b ~ bernoulli_logit(a[1] + Z * d); n ~ poisson_log(Z * d - u); y ~ normal(a[c] + 0.1 * Z * d, s); n ~ binomial_logit(m, d[1] * u + a[c]); n ~ neg_binomial_2_log(Z * d, s);
  ya ~ student_t(4, exp(-u * s), 1 + s); n ~ poisson(exp(Z * d)); for (t in 1:T) b[t] ~ bernoulli(inv_logit(Z[t] * d)); w ~ gamma(2 + s, exp(u + d[2])); c ~ poisson_log(d[1]);
  b ~ bernoulli_logit_glm(Z, a[1], d); n ~ poisson_log_glm(Z, a[c], d); n ~ neg_binomial_2_log_glm(Z, a[2], d, s); n ~ binomial_logit_glm(m, Z, a[3], d); a ~ std_normal(); d ~ std_normal(); s ~ lognormal(0, 1); }`},
	{"rows that repeat and may be rejected", `transformed data { matrix[T, 2] Z; for (t in 1:T) Z[t] = [c[t], 1]; } parameters { vector[2] d; } model { n ~ poisson(1.5 + Z * d); d ~ std_normal(); }`},
}
