// Loops whose iterations are alike after a closer look: they go down or in steps, read ranges, or
// are of several variants by their data.

package bind_test

import (
	"testing"

	"github.com/seed-12b88e03/ppl/ir/bind"
	"github.com/seed-12b88e03/ppl/ir/bind/bindtest"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// variantModels are models by name, to be recorded as iterations that stand for many.
var variantModels = [][2]string{
	{"from the end", `parameters { real a; real d; }
model {
  vector[T] x; x[T] = a;
  for (t in 1 : T - 1) x[T - t] = tanh(d) * x[T - t + 1] + y[T - t];
  target += -0.1 * dot_self(x); a ~ std_normal(); d ~ std_normal();
}`},
	{"from the end, by locals", `parameters { real a; real d; }
model {
  vector[T] x; x[T] = a;
  for (s in 1 : T - 1) {
    int t; int next; t = T - s; next = t + 1;
    x[t] = tanh(d) * x[next] + y[t] * X[t, 2] + X[next, 1];
  }
  target += -0.1 * dot_self(x); a ~ std_normal(); d ~ std_normal();
}`},
	{"smoothing", `parameters { real<lower=0> q; real<lower=0> r; }
model {
  vector[T] m; vector[T] p; vector[T] s;
  m[1] = y[1]; p[1] = r;
  for (t in 2 : T) {
    real k = (p[t - 1] + q) / (p[t - 1] + q + r);
    m[t] = m[t - 1] + k * (y[t] - m[t - 1]); p[t] = k * r;
  }
  s[T] = m[T];
  for (t in 1 : T - 1) s[T - t] = m[T - t] + p[T - t] / (p[T - t] + q) * (s[T - t + 1] - m[T - t]);
  y ~ normal(s, 1); q ~ std_normal(); r ~ std_normal();
}`},
	{"two at a time", `parameters { real a; real d; }
model {
  vector[T] x = rep_vector(a, T);
  for (t in 2 : T %/% 2) { x[t + t] = tanh(d) * x[t + t - 2] + x[t + t - 1] * y[t]; }
  for (t in 2 : T %/% 2) { x[t + t - 1] = tanh(a) * x[t + t - 2] + x[t + t - 3]; }
  target += -0.1 * dot_self(x); a ~ std_normal(); d ~ std_normal();
}`},
	{"one element of the past", `parameters { real a; real d; }
model {
  vector[T] x = rep_vector(a, T); vector[T] z = rep_vector(d, T);
  for (t in 3 : T) { x[t] = tanh(d) * x[t - 1] + x[2]; z[T - t + 1] = 0.1 * z[T] + z[T - t + 2]; }
  target += -0.1 * dot_self(x) - 0.1 * dot_self(z); a ~ std_normal(); d ~ std_normal();
}`},
	{"an element that a round writes", `parameters { real a; real d; }
model {
  vector[T] x = rep_vector(a, T);
  for (t in 2 : T) x[t] = tanh(d) * x[t - 1] + x[(T + 1) %/% 2];
  target += -0.1 * dot_self(x); a ~ std_normal(); d ~ std_normal();
}`},
	{"seasons", `parameters { vector[T] e; real s; }
model {
  vector[T] x = s * e; vector[T] z = e;
  for (t in 5 : T) { x[t] = -sum(x[t - 4 : t - 1]) + e[t]; z[t] = dot_product(z[{t - 3, t - 1}], e[t - 1 : t]); }
  y ~ normal(tanh(x) + tanh(z), 1); e ~ std_normal(); s ~ std_normal();
}`},
	{"rows of what is written", `parameters { matrix[T, 2] e; real s; }
model {
  matrix[T, 2] x = e; matrix[2, T] z = e';
  for (t in 3 : T) { x[t] = 0.5 * x[t - 1] + e[t] * s; z[ : , T + 1 - t] = 0.5 * z[ : , T + 2 - t] + x[t, : ]'; }
  to_vector(z) ~ normal(0, 2); to_vector(x) ~ normal(0, 3); to_vector(e) ~ std_normal(); s ~ std_normal();
}`},
	{"censored", `parameters { real a; real d; real<lower=0> s; }
model {
  for (t in 1 : T) {
    real m = a + d * y[t];
    if (n[t] > 1) target += weibull_lpdf(w[t] + 0.1 | s, exp(m)); else target += weibull_lccdf(w[t] + 0.1 | s, exp(m));
  }
  a ~ std_normal(); d ~ std_normal(); s ~ gamma(2, 1);
}`},
	{"occupied or not", `parameters { real a; real d; }
model {
  for (t in 1 : T) {
    real psi = a + d * y[t];
    if (sum(N2[t]) > 4) target += bernoulli_logit_lpmf(1 | psi) + poisson_log_lpmf(N2[t] | d);
    else if (c[t] == 1) continue;
    else target += log_sum_exp(bernoulli_logit_lpmf(1 | psi) + poisson_log_lpmf(N2[t] | a * y[t]), bernoulli_logit_lpmf(0 | psi));
  }
  a ~ std_normal(); d ~ std_normal();
}`},
	{"groups of many sizes", `parameters { vector[T] a; real d; vector<lower=0, upper=1>[4] p; }
model {
  for (t in 1 : T) {
    real sum = 0;
    for (j in 1 : c[t]) { sum += X[t, j] * d; if (sum(N2[t, 1 : j]) > 5) break; }
    target += -0.5 * square(a[t] - sum);
    if (n[t] > 0) N2[t, 1 : min(n[t], K)] ~ poisson_log(a[t]);
    for (j in n[t] + 1 : 4) 1 ~ bernoulli(p[j]);
    target += gamma_lpdf(segment(w + 0.1, 1, min(n[t] + 1, min(T, 4))) | 2, p[1 : min(n[t] + 1, min(T, 4))]) * (n[t] < 4);
  }
  a ~ std_normal(); d ~ std_normal();
}`},
	{"parts by kind", `parameters { real a; real d; }
model {
  vector[T] x; vector[T] z;
  for (t in 1 : T) {
    real v;
    if (b[t] == 1) { x[t] = a * y[t]; v = d; } else { v = tanh(a); x[t] = d - y[t]; }
    z[T - t + 1] = x[t] * v + w[t];
  }
  target += -0.1 * dot_self(x) - 0.1 * dot_self(z); a ~ std_normal(); d ~ std_normal();
}`},
	{"parts by kind that others read", `parameters { real a; real d; }
model {
  vector[T] x = rep_vector(a, T);
  for (t in 2 : T) { if (b[t] == 1) x[t] = a * y[t]; else x[t] = tanh(d) * x[t - 1]; }
  target += -0.1 * dot_self(x); a ~ std_normal(); d ~ std_normal();
}`},
	{"segments", `parameters { vector[T] a; real d; }
model {
  int pos = 1; int k = 0;
  for (t in 1 : T) {
    int size = min(n[t], T - pos + 1);
    segment(y, pos, size) ~ normal(a[t] + d * segment(X[ : , 1], pos, size), 1);
    target += -0.1 * square(sum(head(a, size)) - sum(V[t][1 : c[t]]));
    pos += size;
    if (pos > T) pos = c[t];
    for (j in 1 : c[t]) { k += 1; if (k > T - 3) { k = 0; break; } target += tanh(a[k + 1] - y[k + j]); }
  }
  y[pos] ~ normal(d, 1 + k); a ~ std_normal(); d ~ std_normal();
}`},
	{"a place that goes on in a recurrence", `parameters { real a; real d; vector[T] e; }
model {
  int k = T; real x = a; vector[T] z = e;
  for (t in 1 : T) { x = tanh(d * x + e[k]) + y[k]; z[t] += x; k -= 1; }
  target += -0.1 * dot_self(z) - 0.1 * square(x); e ~ std_normal(); a ~ normal(k, 1); d ~ std_normal();
}`},
	{"a place that goes on in rounds of two kinds", `parameters { real a; real d; vector[T] e; }
model {
  int k = 1; real x = a;
  for (t in 1 : T) { if (t > 5) x = tanh(d * x + e[k]) + y[k]; else { x += y[k]; k += 0; } k = k == T ? 1 : k + 1; }
  target += -0.1 * square(x); e ~ std_normal(); a ~ normal(k, 1); d ~ std_normal();
}`},
	{"kalman filter of two states", `parameters { real<lower=0> q1; real<lower=0> q2; real<lower=0> r; }
model {
  vector[2] m = [0, 0]'; matrix[2, 2] P = identity_matrix(2); matrix[2, 2] F = [[1, 1], [0, 0.9]]; row_vector[2] H = [1, 0.2];
  for (t in 1 : T) {
    vector[2] at = F * m;
    matrix[2, 2] R = quad_form_sym(P, F') + diag_matrix([q1, q2]');
    real f = H * R * H' + r;
    vector[2] k = R * H' / f;
    y[t] ~ normal(H * at, sqrt(f));
    m = at + k * (y[t] - H * at);
    P = R - k * (H * R);
  }
  q1 ~ std_normal(); q2 ~ std_normal(); r ~ std_normal();
}`},
	{"products of small matrices", `parameters { matrix[2, 3] A; vector[3] v; }
model {
  matrix[3, 3] S = 0.1 * crossprod(A);
  for (t in 1 : T) {
    S = 0.1 * (quad_form(S, crossprod(A)) + tcrossprod(A') + quad_form_diag(S, v) + diag_pre_multiply(v, S * w[t]) + diag_post_multiply(S, V[t]));
    S = S / (1 + square(trace(S))) + 0.01 * v * (V[t]' * S);
    y[t] ~ normal(trace(S) + quad_form(S, v), 3);
  }
  to_vector(A) ~ std_normal(); v ~ std_normal();
}`},
	{"a matrix that is not symmetric", `parameters { matrix[2, 2] A; }
model {
  matrix[2, 2] S = [[1, 0.5], [0.5, 1]];
  for (t in 1 : T) { S = 0.3 * quad_form_sym(S, A); S[1, 2] += t == T ? 1e-7 : 0; y[t] ~ normal(trace(quad_form_sym(S, A)), 3); }
  to_vector(A) ~ std_normal();
}`},
	{"observed or not", `parameters { real<lower=0> q; real<lower=0> r; }
model {
  real m = 0; real P = 1;
  for (t in 1 : T) {
    P += q;
    if (b[t] == 1) {
      real f = P + r; real k = P / f;
      y[t] ~ normal(m, sqrt(f));
      m += k * (y[t] - m); P *= 1 - k;
    }
  }
  target += -0.1 * square(m) - P; q ~ std_normal(); r ~ std_normal();
}`},
	{"forward algorithm where some is not observed", `parameters { vector[3] mu; vector[9] a; real<lower=0> s; }
model {
  matrix[3, 3] A = to_matrix(a, 3, 3); vector[3] g = rep_vector(0, 3);
  for (t in 1 : T) {
    vector[3] h;
    for (j in 1 : 3) h[j] = log_sum_exp(g + A[ : , j]);
    if (n[t] > 0) for (j in 1 : 3) h[j] += normal_lpdf(y[t] | mu[j], s);
    g = h;
  }
  target += log_sum_exp(g); mu ~ std_normal(); a ~ std_normal(); s ~ lognormal(0, 1);
}`},
	{"functions that only some rounds can take", `parameters { real a; real d; }
model {
  real x = a; vector[T] z;
  for (t in 1 : T) {
    if (y[t] > 0) x = log(y[t]) + sqrt(y[t]) * tanh(d * x); else if (c[t] == 2) x = log(-y[t]) * tanh(x) / y[t]; else x *= 0.5;
    z[t] = x;
  }
  target += -0.01 * dot_self(z); a ~ std_normal(); d ~ std_normal();
}`},
	{"values that would be no numbers", `parameters { real a; real d; }
model {
  real x = -exp(a); vector[T] z;
  for (t in 1 : T) {
    if (t == 1 || b[t] == 1) x = exp(-square(x) - d * y[t]); else x = log(x) + 1 / (x - x * w[t] * 0) - w[t];
    if (b[t] == 0) x = square(x);
    z[t] = x;
  }
  target += -0.01 * dot_self(log1p(z)); a ~ std_normal(); d ~ std_normal();
}`},
	{"individuals one after the other", `parameters { real<lower=0, upper=1> phi; real<lower=0, upper=1> p; }
model {
  vector[2] g; real last;
  for (t in 1 : T) {
    if (t == 1 || c[t] == 1) { g = [1, 0]'; last = 0; }
    else {
      vector[2] h = [g[1] * phi, g[1] * (1 - phi) + g[2]]';
      if (b[t] == 1) { h[1] *= p; h[2] = 0; } else h[1] *= 1 - p;
      target += log(sum(h) + 0.01) - 0.1 * last;
      g = (h + 0.01) / (sum(h) + 0.02); last = g[1];
    }
  }
}`},
	{"parts, of the past and of the future", `parameters { real a; vector[T] e; }
model {
  vector[T] x = e; vector[T] z = a * e;
  for (t in 3 : T - 2) {
    if (b[t] == 1) x[t] = tanh(a * x[t - 1]) + x[t + 2]; else if (c[t] == 3) x[t] = 0.5 * x[t - 2] + e[t] * x[1];
    if (n[t] > 1) z[T - t + 1] = 0.3 * z[T - t + 2] + x[t - 1]; else z[T - t + 1] += y[t];
  }
  y ~ normal(x - tanh(z), 1); e ~ std_normal(); a ~ std_normal();
}`},
	{"rows by kind", `parameters { matrix[T, 2] e; real s; }
model {
  array[T] vector[2] x; real last = s;
  x[1] = e[1]';
  for (t in 2 : T) {
    if (b[t] == 0) { x[t] = 0.5 * reverse(x[t - 1]) + e[t]'; continue; }
    x[t] = [last, x[t - 1, 2] * tanh(s)]';
    last = x[t - 1, 1] + y[t];
  }
  for (t in 1 : T) x[t] ~ normal(y[t], 1);
  last ~ std_normal(); to_vector(e) ~ std_normal(); s ~ std_normal();
}`},
	{"elements of what is handed on", `parameters { vector[3] a; real d; }
model {
  vector[3] z = a; real s = 0;
  for (t in 1 : T) {
    y[t] ~ normal(z[c[t]], 1);
    s = 0.5 * s + z[1 + n[t] % 3];
    z[c[t]] = tanh(d) * z[c[t]] + 0.1 * s;
  }
  z ~ std_normal(); a ~ std_normal(); d ~ std_normal();
}`},
	{"scales by kind", `parameters { real<lower=0> s; real<lower=0> k; real<lower=0, upper=1> f; }
model {
  vector[T] v; v[1] = s;
  for (t in 2 : T) { if (y[t - 1] < 0) v[t] = sqrt(k + f * square(v[t - 1])); else v[t] = sqrt(s + f * square(v[t - 1]) + 0.1 * square(y[t - 1])); }
  y ~ normal(0, v); s ~ std_normal(); k ~ std_normal();
}`},
	{"kinds within kinds", `parameters { real a; real d; vector[4] p; }
model {
  real x = a; real z = 1; real keep = d;
  for (t in 1 : T) {
    if (b[t] == 1) { for (j in 1 : c[t]) x = tanh(x + p[j] * y[t]); z = x; } else { z = 0.5 * z + X[t, c[t]]; keep = x; }
    target += -0.1 * square(x - z) - 0.01 * square(keep);
  }
  a ~ std_normal(); d ~ std_normal(); p ~ std_normal();
}`},
	{"each round again", `parameters { real a; vector[T] e; }
model {
  for (t in 1 : T) {
    vector[3] x; x[3] = e[t];
    for (j in 1 : 2) x[3 - j] = tanh(a * x[4 - j]) + X[t, j];
    if (c[t] < 3) x[c[t]] += y[t];
    y[t] ~ normal(x[c[t]], 1);
  }
  a ~ std_normal(); e ~ std_normal();
}`},
}

func TestVariants(t *testing.T) { recurrencesAgree(t, variantModels) }

// TestVariantsAreFew holds recordings of loops to a size that does not grow with the iterations.
func TestVariantsAreFew(t *testing.T) {
	grows := map[string]bool{"an element that a round writes": true}
	lib := stdlib.New()
	for _, m := range variantModels {
		p, err := bindtest.Compile("loop.stan", recurrenceFunctions+recurrenceVars+m[1], "", lib)
		if err != nil {
			t.Fatalf("%s: %v", m[0], err)
		}
		var nodes [2]int
		for i, iterations := range []int{2000, 4000} {
			in, err := recurrenceData(iterations)
			if err != nil {
				t.Fatal(err)
			}
			model, err := bind.Bind(p, lib, in, bind.Options{LeastIterations: 8, Without: []string{"pack"}})
			if err != nil {
				t.Fatal(err)
			}
			if nodes[i], err = model.RecordedNodes(make([]float64, model.Dim())); err != nil {
				t.Fatal(err)
			}
		}
		if more := nodes[1] > nodes[0]*5/4; more != grows[m[0]] {
			t.Errorf("%s: %d nodes for 2000 rounds, %d for 4000", m[0], nodes[0], nodes[1])
		}
	}
}
