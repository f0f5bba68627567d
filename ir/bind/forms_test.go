// Models written in different ways that must take the same work.

package bind_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/ir/bind"
)

// Nests of loops whose inner bounds are data take the instructions of the same model with index arrays, whatever the
// density, under a condition on data, too; and value and gradient are the same.
func TestRaggedNests(t *testing.T) {
	const head = `data { int N; int T; array[N] int n; array[N, T] real y; array[N, T] int k; matrix[N, T] x; }
transformed data { array[sum(n)] int ii; array[sum(n)] int tt; int M = 0;
  for (i in 1:N) for (t in 1:n[i]) { M += 1; ii[M] = i; tt[M] = t; } }
parameters { vector[N] a; vector[T] g; real b; real<lower=0> s; vector<lower=0, upper=1>[T] q; }
model { a ~ normal(0, 1); g ~ normal(0, 1); b ~ normal(0, 1); s ~ normal(0, 1); `
	const flat = "array[M] real yy; array[M] int kk; vector[M] xx; for (m in 1:M) { yy[m] = y[ii[m], tt[m]]; kk[m] = k[ii[m], tt[m]]; xx[m] = x[ii[m], tt[m]]; } "
	for _, c := range []struct{ ragged, flat string }{
		{"y[i, t] ~ normal(a[i] + g[t] + b * x[i, t], s);", "yy ~ normal(a[ii] + g[tt] + b * xx, s);"},
		{"k[i, t] ~ bernoulli_logit(a[i] + b * x[i, t]);", "kk ~ bernoulli_logit(a[ii] + b * xx);"},
		{"k[i, t] ~ bernoulli(q[t]);", "kk ~ bernoulli(q[tt]);"},
		{"1 ~ bernoulli(q[t]);", "1 ~ bernoulli(q[tt]);"},
		{"k[i, t] ~ poisson_log(a[i] + b * x[i, t]);", "kk ~ poisson_log(a[ii] + b * xx);"},
		{"y[i, t] ~ student_t(4, a[i], s);", "yy ~ student_t(4, a[ii], s);"},
		{"target += normal_lccdf(y[i, t] | a[i] + b * x[i, t], s);", "target += normal_lccdf(yy | a[ii] + b * xx, s);"},
	} {
		nest := "for (i in 1:N) for (t in 1:n[i]) " + c.ragged + "}"
		other := "for (i in 1:N) if (n[i] > 0) { for (t in 1:(n[i] - 1)) " + c.ragged + " int t = n[i]; " + c.ragged + "}}"
		want := bound(t, head+flat+c.flat+"}", raggedData())
		size := instructions(t, want.DumpGraph, want.Dim())
		for text, most := range map[string]int{nest: size + 2, other: 2*size + 4} {
			got := bound(t, head+text, raggedData())
			if n := instructions(t, got.DumpGraph, got.Dim()); n > most {
				t.Errorf("%s: %d instructions, with index arrays %d", text, n, size)
			}
			alike(t, text, got, want)
		}
	}
}

// Mixtures with log_mix, of a vector in each iteration or of an array of vectors, take about the instructions of
// log_sum_exp, and have its value and gradient.
func TestMixtureForms(t *testing.T) {
	const head = `data { int N; array[N] real y; } parameters { simplex[3] th; vector[3] m; vector<lower=0>[3] s; }
model { m ~ normal(0, 1); s ~ normal(0, 1); `
	const fill = "vector[3] lp; for (j in 1:3) lp[j] = normal_lpdf(y[i] | m[j], s[j]); "
	values := make([]string, 50)
	for i := range values {
		values[i] = fmt.Sprintf("%.3f", 3*math.Sin(float64(3*i)))
	}
	data := fmt.Sprintf(`{"N": 50, "y": [%s]}`, strings.Join(values, ","))
	want := bound(t, head+"for (i in 1:N) { "+fill+"target += log_sum_exp(log(th) + lp); }}", data)
	size := instructions(t, want.DumpGraph, want.Dim())
	for _, form := range []string{
		"for (i in 1:N) { " + fill + "target += log_mix(th, lp); }}",
		"for (i in 1:N) target += log_mix(th, {normal_lpdf(y[i] | m[1], s[1]), normal_lpdf(y[i] | m[2], s[2]), normal_lpdf(y[i] | m[3], s[3])}); }",
		"array[N] vector[3] lps; for (i in 1:N) { " + fill + "lps[i] = lp; } target += log_mix(th, lps); }",
	} {
		got := bound(t, head+form, data)
		if n := instructions(t, got.DumpGraph, got.Dim()); n > 2*size {
			t.Errorf("%s: %d instructions, with log_sum_exp %d", form, n, size)
		}
		alike(t, form, got, want)
	}
}

// Forms of one model take about the instructions of the first.
func TestFormsOfModels(t *testing.T) {
	const data = `data { int N; int K; int D; vector[N] x; array[N] int k; array[N] int e; array[N] int o; array[N] vector[D] Y; array[N] vector[K] Z; matrix[N, K] X; }
parameters { real a; real b; real<lower=0> s; real<lower=0> r; real<lower=0, upper=1> q; vector[D] m; matrix[D, K] B; matrix[K, D] C; vector<lower=0>[D] tau; cholesky_factor_corr[D] L; }
model { a ~ normal(0, 1); b ~ normal(0, 1); s ~ normal(0, 1); r ~ normal(0, 1); m ~ normal(0, 1); to_vector(B) ~ normal(0, 1); to_vector(C) ~ normal(0, 1); tau ~ normal(0, 1);
`
	const zip = "if (k == 0) return log_sum_exp(log(q), log1m(q) - s); return log1m(q) + poisson_lpmf(k | s);"
	for name, forms := range map[string][]string{
		"zero-inflated": {
			"for (i in 1:N) if (k[i] == 0) target += log_sum_exp(log(q), log1m(q) - s); else target += log1m(q) + poisson_lpmf(k[i] | s);",
			"functions { real zip_lpmf(int k, real q, real s) { " + zip + " } }\nfor (i in 1:N) k[i] ~ zip(q, s);",
			"functions { real zip(array[] int c, real q, real s) { real l = 0; for (i in 1:size(c)) { int k = c[i]; if (k == 0) l += log_sum_exp(log(q), log1m(q) - s); else l += log1m(q) + poisson_lpmf(k | s); } return l; } }\ntarget += zip(k, q, s);",
			"for (i in 1:N) target += k[i] == 0 ? log_sum_exp(log(q), log1m(q) - s) : log1m(q) + poisson_lpmf(k[i] | s);",
		},
		"hurdle": {
			"for (i in 1:N) if (k[i] == 0) target += log(q); else target += log1m(q) + poisson_lpmf(k[i] | s) - log1m_exp(-s);",
			"for (i in 1:N) if (k[i] == 0) 1 ~ bernoulli(q); else { 0 ~ bernoulli(q); target += poisson_lpmf(k[i] | s) - log1m_exp(-s); }",
		},
		"risk sets": {
			"vector[N] eta = b * x; for (i in 1:N) if (e[i]) target += eta[i] - log_sum_exp(eta[i:N]);",
			"vector[N] eta = b * x; for (i in 1:N) if (e[i]) target += eta[i] - log_sum_exp(tail(eta, N - i + 1));",
			"vector[N] eta = b * x; for (i in 1:N) if (e[i]) target += eta[i] - log(sum(exp(eta[i:N])));",
			"vector[N] eta = b * x; for (i in 1:N) if (e[i]) { real d = 0; for (j in i:N) d += exp(eta[j]); target += eta[i] - log(d); }",
		},
		"change point": {
			"vector[N] lp; vector[N + 1] c1; vector[N + 1] c2; c1[1] = 0; c2[1] = 0; for (t in 1:N) { c1[t + 1] = c1[t] + poisson_lpmf(k[t] | s); c2[t + 1] = c2[t] + poisson_lpmf(k[t] | r); } lp = head(c1, N) + c2[N + 1] - head(c2, N); target += log_sum_exp(lp);",
			"vector[N] lp; for (d in 1:N) { real l = 0; for (t in 1:(d - 1)) l += poisson_lpmf(k[t] | s); for (t in d:N) l += poisson_lpmf(k[t] | r); lp[d] = l; } target += log_sum_exp(lp);",
		},
		"vectors in a loop": {
			"matrix[D, D] LL = diag_pre_multiply(tau, L); array[N] vector[D] mu = to_vector_array(rep_matrix(m, N) + B * to_matrix(Z)); Y ~ multi_normal_cholesky(mu, LL);",
			"matrix[D, D] LL = diag_pre_multiply(tau, L); for (i in 1:N) Y[i] ~ multi_normal_cholesky(m + B * Z[i], LL);",
			"array[N] vector[D] mu; for (i in 1:N) mu[i] = m + B * Z[i]; Y ~ multi_normal_cholesky(mu, diag_pre_multiply(tau, L));",
			"matrix[D, D] LL = diag_pre_multiply(tau, L); for (i in 1:N) { vector[D] mu = B * Z[i]; mu += m; Y[i] ~ multi_normal_cholesky(mu, LL); }",
		},
		"categories": {
			"o ~ categorical_logit_glm(X, m, C);",
			"for (i in 1:N) o[i] ~ categorical_logit(m + (X[i] * C)');",
		},
	} {
		var want *bind.Model
		size := 0
		for _, form := range forms {
			functions, body, ok := strings.Cut(form, "\n")
			if !ok {
				functions, body = "", form
			}
			got := bound(t, functions+data+body+"}", formData())
			n := instructions(t, got.DumpGraph, got.Dim())
			if want == nil {
				want, size = got, n
			} else if n > size*3/2+8 {
				t.Errorf("%s: %s: %d instructions, the first form has %d", name, body, n, size)
			}
			alike(t, form, got, want)
		}
	}
}

// formData are 60 rows.
func formData() string {
	const n, d, k = 60, 3, 2
	list := func(count int, of func(i int) string) string {
		cells := make([]string, count)
		for i := range cells {
			cells[i] = of(i)
		}
		return "[" + strings.Join(cells, ",") + "]"
	}
	table := func(width int) string {
		return list(n, func(i int) string {
			return list(width, func(j int) string { return fmt.Sprintf("%.3f", math.Sin(float64(3*i+5*j))) })
		})
	}
	ints := func(from, values int) string {
		return list(n, func(i int) string { return fmt.Sprint(from + i*i%values) })
	}
	return fmt.Sprintf(`{"N": %d, "K": %d, "D": %d, "x": %s, "k": %s, "e": %s, "o": %s, "Y": %s, "Z": %s, "X": %s}`, n, k, d,
		list(n, func(i int) string { return fmt.Sprintf("%.3f", math.Cos(float64(i))) }), ints(0, 7), ints(0, 2), ints(1, 3), table(d), table(k), table(k))
}

// alike holds value and gradient of two models against each other.
func alike(t *testing.T, text string, got, want *bind.Model) {
	t.Helper()
	q, grad, exact := make([]float64, want.Dim()), make([]float64, want.Dim()), make([]float64, want.Dim())
	for i := range q {
		q[i] = math.Sin(float64(i))
	}
	lp, err := got.NewEvaluator().LogDensityGrad(q, grad)
	if err != nil {
		t.Fatal(err)
	}
	lp2, err := want.NewEvaluator().LogDensityGrad(q, exact)
	if err != nil {
		t.Fatal(err)
	}
	for i := range q {
		if math.Abs(lp-lp2) > 1e-10*math.Abs(lp2) || math.Abs(grad[i]-exact[i]) > 1e-10*(1+math.Abs(exact[i])) {
			t.Fatalf("%s: %v with derivative %v, want %v, %v", text, lp, grad[i], lp2, exact[i])
		}
	}
}

// instructions are those of the program at a point.
func instructions(t *testing.T, dump func([]float64) (string, error), dim int) int {
	t.Helper()
	q := make([]float64, dim)
	for i := range q {
		q[i] = 0.1 * float64(i%7)
	}
	text, err := dump(q)
	if err != nil {
		t.Fatal(err)
	}
	var length, n int
	if _, err := fmt.Sscanf(text, "program, input of length %d: %d instructions", &length, &n); err != nil {
		t.Fatalf("%v in %q", err, strings.SplitN(text, "\n", 2)[0])
	}
	return n
}

// raggedData are 40 groups of 0 to 9 observations.
func raggedData() string {
	const n, width = 40, 9
	row := func(of func(i, j int) string) string {
		var rows []string
		for i := range n {
			var cells []string
			for j := range width {
				cells = append(cells, of(i, j))
			}
			rows = append(rows, "["+strings.Join(cells, ",")+"]")
		}
		return "[" + strings.Join(rows, ",") + "]"
	}
	var lengths []string
	for i := range n {
		lengths = append(lengths, fmt.Sprint(i*7%(width+1)))
	}
	real := func(i, j int) string { return fmt.Sprintf("%.3f", math.Sin(float64(3*i+5*j))) }
	return fmt.Sprintf(`{"N": %d, "T": %d, "n": [%s], "y": %s, "x": %s, "k": %s}`, n, width, strings.Join(lengths, ","), row(real), row(real),
		row(func(i, j int) string { return fmt.Sprint((i + j*j) % 2) }))
}

// A recurrence whose log density adds up in a local variable or in a function takes the instructions of one that adds to the target.
func TestSumsBesideRecurrences(t *testing.T) {
	const step = "real F; real e; real K; P += w ^ 2; F = P + v ^ 2; e = y[t] - m; K = P / F;"
	const next = "m += K * e; P *= 1 - K;"
	const term = "-0.5 * (log(2 * pi()) + log(F) + e ^ 2 / F);"
	program := func(functions, model string) string {
		return "functions { " + functions + " } data { int T; vector[T] y; } parameters { real<lower=0> v; real<lower=0> w; } model { v ~ normal(0, 1); w ~ normal(0, 1); " + model + " }"
	}
	var y []string
	for i := range 100 {
		y = append(y, fmt.Sprint(math.Sin(float64(i))))
	}
	data := `{"T": 100, "y": [` + strings.Join(y, ",") + "]}"
	want := bound(t, program("", "real m = 0; real P = 100; for (t in 1:T) { "+step+" target += "+term+" "+next+" }"), data)
	size := instructions(t, want.DumpGraph, want.Dim())
	for _, c := range []string{
		program("", "real m = 0; real P = 100; real lp = 0; for (t in 1:T) { "+step+" lp += "+term+" "+next+" } target += lp;"),
		program("real kalman_lpdf(vector y, real v, real w) { real m = 0; real P = 100; real lp = 0; for (t in 1:num_elements(y)) { "+step+" lp += "+term+" "+next+" } return lp; }", "y ~ kalman(v, w);"),
		program("real kalman_lpdf(vector y, real v, real w) { real m = 0; real P = 100; real lp = 0; for (t in 1:num_elements(y)) { "+step+" lp += "+term+" "+next+" } return lp; }", "target += kalman_lpdf(y | v, w);"),
	} {
		got := bound(t, c, data)
		if n := instructions(t, got.DumpGraph, got.Dim()); n > size+2 {
			t.Errorf("%s: %d instructions, where terms are added to the target %d", c, n, size)
		}
		alike(t, c, got, want)
	}
}
