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
