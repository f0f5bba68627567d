// Tests of programs that say the same in another way: in functions, by "~" or by what it adds to the target.

package bind_test

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"
)

// A model written in a function takes the instructions of the same statements in the model block, and has their density, which the
// reference interpreter gives by calling the function.
func TestModelsInFunctions(t *testing.T) {
	const (
		data       = "data { int N; int J; vector[N] y; array[N] int k; array[N] int g; matrix[N, 2] x; }\n"
		parameters = "parameters { vector[J] a; real m; vector[2] b; real<lower=0> s; }\n"
		arguments  = "(N, J, y, k, g, x, a, m, b, s)"
		formal     = "(int N, int J, vector y, data array[] int k, array[] int g, matrix x, vector a, real m, vector b, real s)"
		priors     = "a ~ normal(m, 1); m ~ normal(0, 2); b ~ normal(0, 1); s ~ exponential(1); "
	)
	n, j := 60, 4
	var y, k, g, x []any
	for i := range n {
		y, x = append(y, math.Sin(float64(3*i))), append(x, []float64{math.Cos(float64(5 * i)), 1})
		k, g = append(k, i*7%4), append(g, i%j+1)
	}
	text, err := json.Marshal(map[string]any{"N": n, "J": j, "y": y, "k": k, "g": g, "x": x})
	if err != nil {
		t.Fatal(err)
	}
	for _, body := range []string{
		"for (i in 1:N) k[i] ~ neg_binomial_2_log(a[g[i]] + x[i] * b, s);",
		"for (i in 1:N) { if (k[i] > 0) y[i] ~ normal(a[g[i]], s); else target += normal_lcdf(0 | a[g[i]], s); }",
		"vector[N] mu = x * b; for (i in 1:N) if (k[i] == 1) target += mu[i] - log_sum_exp(mu[i:N]);",
		"for (i in 1:N) { vector[2] lp; for (c in 1:2) lp[c] = normal_lpdf(y[i] | b[c], s); target += log_sum_exp(lp); }",
		"if (N > 1000) return; for (i in 1:N) y[i] ~ student_t(4, a[g[i]], s);",
	} {
		written := data + parameters + "model { " + priors + body + " }"
		if body[:2] == "if" {
			written = data + parameters + "model { " + priors + body[len("if (N > 1000) return; "):] + " }"
		}
		inline := bound(t, written, string(text))
		for name, called := range map[string]string{
			"one function": "functions { void all_lp" + formal + " { " + priors + body + " } }\n" + data + parameters + "model { all_lp" + arguments + "; }",
			"two functions": "functions { void rows_lp" + formal + " { " + body + " }\n void all_lp" + formal + " { " + priors + "rows_lp" + arguments + "; } }\n" +
				data + parameters + "model { all_lp" + arguments + "; }",
		} {
			m := bound(t, called, string(text))
			q := make([]float64, m.Dim())
			for i := range q {
				q[i] = 0.3 * math.Sin(float64(2*i+1))
			}
			if err := agree(m, q, 0); err != nil {
				t.Errorf("%s, %s: %v", body, name, err)
			}
			if got, want := instructions(t, m.DumpGraph, m.Dim()), instructions(t, inline.DumpGraph, inline.Dim()); got != want {
				t.Errorf("%s, %s: %d instructions, %d in the model block", body, name, got, want)
			}
		}
	}
}

// Functions that call the next one ten times are 10^8 calls after eight: what is written out ends at a number.
func TestManyCallsInFunctions(t *testing.T) {
	var b strings.Builder
	b.WriteString("functions { void f0_lp(int n, real a) { for (i in 1:n) target += a; }\n")
	for i := range 8 {
		fmt.Fprintf(&b, "void f%d_lp(int n, real a) { if (n < 0) { %s } target += a; }\n", i+1, strings.Repeat(fmt.Sprintf("f%d_lp(n, a); ", i), 10))
	}
	b.WriteString("} data { int n; } parameters { real a; } model { f8_lp(n, a); a ~ normal(0, 1); }")
	m := bound(t, b.String(), `{"n": 3}`)
	if err := agree(m, []float64{0.5}, 0); err != nil {
		t.Error(err)
	}
}

// y ~ d(...) and target += d_lupdf(y | ...) are one statement in two spellings: in loops, too, they take the same instructions.
func TestBothSpellingsOfASample(t *testing.T) {
	const head = `data { int W; array[W, 3] int k; array[W] vector[20] y; vector[W] x; }
parameters { array[W] vector[20] z; array[W] vector[3] e; vector[W] a; real<lower=0> s; }
model { `
	w := 30
	var y, x, k []any
	for i := range w {
		row := make([]float64, 20)
		for j := range row {
			row[j] = math.Sin(float64(20*i + j))
		}
		y, x, k = append(y, row), append(x, math.Cos(float64(i))), append(k, []int{i % 3, i % 5, i % 2})
	}
	text, err := json.Marshal(map[string]any{"W": w, "y": y, "x": x, "k": k})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range [][2]string{
		{"z[w] ~ std_normal();", "target += std_normal_lupdf(z[w]);"},
		{"z[w] ~ normal(a[w], 1);", "target += normal_lupdf(z[w] | a[w], 1);"},
		{"z[w] ~ normal(0, s);", "target += normal_lupdf(z[w] | 0, s);"},
		{"y[w] ~ normal(z[w], s);", "target += normal_lupdf(y[w] | z[w], s);"},
		{"z[w] ~ student_t(4, 0, s);", "target += student_t_lupdf(z[w] | 4, 0, s);"},
		{"k[w] ~ poisson_log(e[w]);", "target += poisson_log_lupmf(k[w] | e[w]);"},
		{"x[w] ~ normal(a[w], s);", "target += normal_lupdf(x[w] | a[w], s);"},
	} {
		sameLength(t, c, func(body string) string {
			return head + "for (w in 1:W) " + body + " a ~ normal(0, 1); s ~ exponential(1); }"
		}, string(text))
	}
}

// Loops that count in other words, with subscripts in variables, over elements: they take the instructions of the loop over a range.
func TestBothSpellingsOfALoop(t *testing.T) {
	const head = `functions { real t_lpdf(real x, real nu, real m, real s) { return student_t_lpdf(x | nu, m, s); } }
data { int J; int I; array[J, I] int y; array[J] int g; vector[J] x; matrix[J, 3] X; }
parameters { vector[J] a; vector[I] d; array[I] ordered[3] c; vector[3] b; real<lower=0> s; }
model { `
	j, i := 40, 7
	var y, g, x, rows []any
	for r := range j {
		row := make([]int, i)
		for k := range row {
			row[k] = 1 + (r+3*k)%4
		}
		y, g, x, rows = append(y, row), append(g, 1+r%5), append(x, math.Sin(float64(r))), append(rows, []float64{1, math.Cos(float64(r)), float64(r % 3)})
	}
	text, err := json.Marshal(map[string]any{"J": j, "I": i, "y": y, "g": g, "x": x, "X": rows})
	if err != nil {
		t.Fatal(err)
	}
	const graded = "for (j in 1:J) for (i in 1:I) y[j, i] ~ ordered_logistic(a[j], c[i]);"
	for _, c := range [][2]string{
		{"for (j in 1:J) x[j] ~ normal(a[g[j]], s);", "int j = 1; while (j <= J) { x[j] ~ normal(a[g[j]], s); j += 1; }"},
		{"for (j in 1:J) x[j] ~ normal(a[g[j]], s);", "int j; j = 0; while (j < J) { j = j + 1; x[j] ~ normal(a[g[j]], s); }"},
		{graded, "int j = 1; while (J >= j) { int i = 1; while (I + 1 > i) { y[j, i] ~ ordered_logistic(a[j], c[i]); i += 1; } j += 1; }"},
		{"for (j in 1:J) for (q in 1:I) y[j, 1 + I - q] ~ ordered_logistic(a[j] * d[1 + I - q], c[1 + I - q]);",
			"for (j in 1:J) for (q in 1:I) { int i; i = 1 + I - q; y[j, i] ~ ordered_logistic(a[j] * d[i], c[i]); }"},
		{"for (j in 1:J) for (i in 1:I) y[j, i] ~ ordered_logistic(a[g[j]] - d[i], c[i]);",
			"for (j in 1:J) { int p = g[j]; for (i in 1:I) y[j, i] ~ ordered_logistic(a[p] - d[i], c[i]); }"},
		{"for (j in 1:J) target += normal_lpdf(x[j] | b[1], s);", "for (e in x) target += normal_lpdf(e | b[1], s);"},
		{"for (j in 1:J) y[j, 1] ~ ordered_logistic(a[j], c[1]);",
			"vector[J] l; for (j in 1:J) l[j] = ordered_logistic_lupmf(y[j, 1] | a[j], c[1]); target += sum(l);"},
		{"for (j in 1:J) if (y[j, 1] == 1) x[j] ~ normal(a[j], s); else x[j] ~ student_t(4, a[j], s);",
			"array[J] real l; for (j in 1:J) { real m; m = a[j]; if (y[j, 1] == 1) l[j] = normal_lupdf(x[j] | m, s); else l[j] = student_t_lupdf(x[j] | 4, m, s); } target += l;"},
		{"for (j in 1:J) for (i in 1:I) y[j, i] ~ ordered_logistic(a[j] - d[i], c[i]);",
			"for (j in 1:size(y)) for (i in 1:size(y[j])) y[j, i] ~ ordered_logistic(a[j] - d[i], c[i]);"},
		{"for (j in 2:J) { vector[I] l; for (i in 1:I) l[i] = ordered_logistic_lupmf(y[j, i] | a[j], c[i]); target += sum(l); }",
			"for (j in 2:J) { vector[num_elements(y[j])] l; for (i in 1:num_elements(y[j])) l[i] = ordered_logistic_lupmf(y[j, i] | a[j], c[i]); target += sum(l); }"},
		{"for (j in 1:J) x[j] ~ student_t(exp(b[1]), a[j], s);", "for (j in 1:J) { real nu = exp(b[1]); x[j] ~ student_t(nu, a[j], s); }"},
		{"for (j in 1:J) target += student_t_lpdf(x[j] | exp(b[1]), a[j], s);", "for (j in 1:J) target += t_lpdf(x[j] | exp(b[1]), a[j], s);"},
		{"vector[J] m = X * b; for (j in 1:J) x[j] ~ normal(m[j], s);", "for (j in 1:J) x[j] ~ normal((X * b)[j], s);"},
	} {
		sameLength(t, c, func(body string) string { return head + body + " a ~ normal(0, 1); s ~ exponential(1); }" }, string(text))
	}
}

// sameLength checks that programs around two bodies take the same number of instructions, and have the density of the reference interpreter.
func sameLength(t *testing.T, bodies [2]string, program func(body string) string, data string) {
	t.Helper()
	var count [2]int
	for i, body := range bodies {
		m := bound(t, program(body), data)
		count[i] = instructions(t, m.DumpGraph, m.Dim())
		q := make([]float64, m.Dim())
		for j := range q {
			q[j] = 0.3 * math.Sin(float64(2*j+1))
		}
		if err := agree(m, q, 0); err != nil {
			t.Errorf("%s: %v", body, err)
		}
	}
	if count[0] != count[1] {
		t.Errorf("%s: %d instructions; %s: %d", bodies[0], count[0], bodies[1], count[1])
	}
}

// A call of a kernel that every iteration writes out again takes the instructions of one call above the loop.
func TestEqualCallsAreOne(t *testing.T) {
	const head = `data { int W; array[W] vector[3] y; }
parameters { vector[3] m; cholesky_factor_cov[3] L; vector<lower=0>[3] s; matrix[3, 3] A; vector[3] v; }
model { m ~ normal(0, 1); s ~ exponential(1); to_vector(A) ~ normal(0, 1); v ~ normal(0, 1); to_vector(L) ~ normal(0, 1); `
	var y []any
	for i := range 30 {
		y = append(y, []float64{math.Sin(float64(i)), math.Cos(float64(i)), float64(i % 3)})
	}
	text, err := json.Marshal(map[string]any{"W": 30, "y": y})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range [][2]string{
		{"for (w in 1:W) y[w] ~ multi_normal(m, multiply_lower_tri_self_transpose(L));", "matrix[3, 3] S = multiply_lower_tri_self_transpose(L); for (w in 1:W) y[w] ~ multi_normal(m, S);"},
		{"for (w in 1:W) y[w] ~ multi_normal(m, quad_form_diag(multiply_lower_tri_self_transpose(L), s));", "matrix[3, 3] S = quad_form_diag(multiply_lower_tri_self_transpose(L), s); for (w in 1:W) y[w] ~ multi_normal(m, S);"},
		{"for (w in 1:W) y[w] ~ normal(matrix_exp(A) * v, 1);", "matrix[3, 3] E = matrix_exp(A); for (w in 1:W) y[w] ~ normal(E * v, 1);"},
	} {
		sameLength(t, c, func(body string) string { return head + body + " }" }, string(text))
	}
}

// A call of a user's function that is the same in all iterations takes the instructions of one call above the loop.
func TestUnchangingCallsAreMadeOnce(t *testing.T) {
	const head = `functions {
  matrix factor(array[] vector x, real a, vector r) {
    int n = size(x); matrix[n, n] K;
    for (i in 1:n) { K[i, i] = a + 0.1; for (j in (i + 1):n) { K[i, j] = a * exp(-dot_self((x[i] - x[j]) ./ r)); K[j, i] = K[i, j]; } }
    return cholesky_decompose(K);
  }
  vector times(array[] vector x, real a, vector r, vector z) {
    int n = size(x); vector[n] f = rep_vector(0, n);
    for (i in 1:n) for (j in 1:n) f[i] += factor(x, a, r)[i, j] * z[j];
    return f;
  }
  vector timesOf(matrix L, vector z) {
    int n = rows(L); vector[n] f = rep_vector(0, n);
    for (i in 1:n) for (j in 1:n) f[i] += L[i, j] * z[j];
    return f;
  }
}
data { int W; array[W] vector[2] x; vector[W] y; }
parameters { real<lower=0> a; vector<lower=0>[2] r; vector[W] z; }
model { z ~ normal(0, 1); a ~ exponential(1); r ~ exponential(1); vector[W] f = rep_vector(0, W); `
	var x, y []any
	const w = 33 // from 32 on loops are traced
	for i := range w {
		x, y = append(x, []float64{float64(i) / 3, math.Cos(float64(i))}), append(y, math.Sin(float64(i)))
	}
	text, err := json.Marshal(map[string]any{"W": w, "x": x, "y": y})
	if err != nil {
		t.Fatal(err)
	}
	const above = "matrix[W, W] L = factor(x, a, r); "
	for _, c := range [][2]string{
		{"for (i in 1:W) { real h = i > 1 ? f[i - 1] : 0; f[i] = tanh(h + factor(x, a, r)[i, 1]); }",
			above + "for (i in 1:W) { real h = i > 1 ? f[i - 1] : 0; f[i] = tanh(h + L[i, 1]); }"},
		{"for (i in 1:W) { f[i] = factor(x, a, r)[i, 1]; if (f[i] > 1e9) break; }", above + "for (i in 1:W) { f[i] = L[i, 1]; if (f[i] > 1e9) break; }"},
		{"f = times(x, a, r, z);", "f = timesOf(factor(x, a, r), z);"},
	} {
		var count [2]int
		for i, body := range c {
			m := bound(t, head+body+" y ~ normal(f, 1); }", string(text))
			count[i] = instructions(t, m.DumpGraph, m.Dim())
			q, grad := make([]float64, m.Dim()), make([]float64, m.Dim())
			q[2], q[5] = 0.3, -0.2
			got, err := m.Density(true, false).LogDensityGrad(q, grad)
			want, wantGrad, wantErr := m.PlainDensity(q, true)
			if err != nil || wantErr != nil || !close64(got, want, 1e-10*math.Abs(want)) {
				t.Errorf("%s: %v (%v), by the reference interpreter %v (%v)", body, got, err, want, wantErr)
			} else if err := closeGradients(grad, wantGrad, 1e-9); err != nil {
				t.Errorf("%s: %v", body, err)
			}
		}
		if count[0] != count[1] {
			t.Errorf("%s: %d instructions; %s: %d", c[0], count[0], c[1], count[1])
		}
	}
}

// Columns of data that a loop adds up, in whatever order and place, take the instructions of the product of a matrix and a vector.
func TestSumsOfColumns(t *testing.T) {
	const head = `data { int N; int K; matrix[N, K] X; array[N, K] real A; vector[N] y; }
parameters { real a; vector[K] b; real<lower=0> s; }
model { a ~ normal(0, 1); b ~ normal(0, 1); s ~ exponential(1); vector[N] mu = rep_vector(a, N); `
	n, k := 80, 35
	var y, x []any
	for i := range n {
		row := make([]float64, k)
		for j := range row {
			row[j] = math.Sin(float64(k*i + j))
		}
		y, x = append(y, math.Cos(float64(i))), append(x, row)
	}
	text, err := json.Marshal(map[string]any{"N": n, "K": k, "y": y, "X": x, "A": x})
	if err != nil {
		t.Fatal(err)
	}
	var columns, elements []string
	for j := range k {
		columns, elements = append(columns, fmt.Sprintf("X[ : , %d] * b[%d]", j+1, j+1)), append(elements, fmt.Sprintf("b[%d] * X[n, %d]", j+1, j+1))
	}
	for _, body := range []string{
		"mu += " + strings.Join(columns, " + ") + ";",
		"mu -= -" + strings.Join(columns, " - ") + ";",
		"for (n in 1:N) mu[n] += " + strings.Join(elements, " + ") + ";",
		"for (n in 1:N) mu[n] += sum(X[n] .* b');",
		"mu = rep_vector(0, N); mu += a + X * b;",
		"for (k in 1:K) mu += X[ : , k] * b[k];",
		"for (k in 1:K) mu = b[k] * col(X, k) + mu;",
		"for (n in 1:N) for (k in 1:K) mu[n] += X[n, k] * b[k];",
		"for (k in 1:K) for (n in 1:N) mu[n] = mu[n] + b[k] * X[n, k];",
		"for (n in 1:N) { real eta = a; for (k in 1:K) eta += A[n, k] * b[k]; mu[n] = eta; }",
	} {
		for _, density := range []string{"normal(mu, s)", "student_t(4, mu, s)"} {
			sameLength(t, [2]string{body, "mu = a + X * b;"}, func(body string) string { return head + body + " y ~ " + density + "; }" }, string(text))
		}
	}
	for _, body := range []string{ // which are no products: the sums differ from iteration to iteration
		"for (k in 1:K) { mu += X[ : , k] * b[k]; y ~ normal(mu, 1); }",
		"for (k in 1:K) mu += X[ : , k] * mu[k];",
		"for (k in 2:K) mu += X[ : , k - 1] * b[k];",
		"for (k in 1:K) mu += X[ : , k] * (k > 3 ? b[k] : b[1] * k);",
		"for (k in 1:K) mu -= X[ : , k] * exp(b[k]) * 0.1;",
		"for (k in K:1) mu += X[ : , k] * b[k];",
	} {
		m := bound(t, head+body+" y ~ normal(mu, s); }", string(text))
		q := make([]float64, m.Dim())
		for j := range q {
			q[j] = 0.3 * math.Sin(float64(2*j+1))
		}
		if err := agree(m, q, 0); err != nil {
			t.Errorf("%s: %v", body, err)
		}
	}
}
