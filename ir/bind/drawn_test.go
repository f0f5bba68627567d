// Rows that draw random numbers, by programs and by the reference interpreter.

package bind_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/ir/bind"
)

// drawnRows are generated quantities that draw, and whether there is a program for them.
var drawnRows = map[string]struct {
	text    string
	program bool
}{
	"a number":          {"real z = normal_rng(a, exp(b));", true},
	"vectors":           {"array[N] real z = normal_rng(a * x, exp(b)); real m = mean(z);", true},
	"a loop":            {"vector[N] l; array[N] real z; for (n in 1:N) { l[n] = normal_lpdf(x[n] | a, 1); z[n] = normal_rng(a * x[n], exp(b)); }", true},
	"counts":            {"array[N] int z; for (n in 1:N) z[n] = poisson_rng(exp(a + b * x[n])); int total = sum(z); real twice = 2 * z[3];", true},
	"two in a round":    {"array[N] real z; array[N] int k; for (n in 1:N) { z[n] = normal_rng(a, 1); k[n] = poisson_log_rng(b); }", true},
	"two numbers":       {"array[N] real z; array[N] real w; for (n in 1:N) { z[n] = normal_rng(a, 1); w[n] = exponential_rng(exp(b)) + z[n]; }", true},
	"some rounds":       {"array[N] real z; for (n in 1:N) { if (x[n] > 0) z[n] = normal_rng(a * x[n], 1); else z[n] = exponential_rng(exp(b)); }", true},
	"a function of two": {"array[N] real z; for (n in 1:N) z[n] = noisy_rng(x[n], b) + uniform_rng(0, 1);", true},
	"from the end":      {"array[N] real z; for (n in 1:N) z[N + 1 - n] = normal_rng(a * x[n], 1);", true},
	"a running sum":     {"array[N] real z; real s = 0; for (n in 1:N) { s += normal_rng(0, 1); z[n] = s * a; }", true},
	"one after another": {"array[N] real z; z[1] = normal_rng(a, 1); for (n in 2:N) z[n] = normal_rng(a * z[n - 1], exp(b));", true},
	"the same in all":   {"array[N] real z; for (n in 1:N) z[n] = student_t_rng(4, a, 1);", true},
	"no parameter":      {"array[N] real z; for (n in 1:N) z[n] = std_normal_rng(); real u = uniform_rng(0, 1);", true},
	"unused":            {"{ real u = uniform_rng(0, 1); } real z = normal_rng(a, 1);", true},
	"draws of draws":    {"array[N] real z; array[N] int y; for (n in 1:N) { z[n] = gamma_rng(exp(a), 1); y[n] = poisson_rng(z[n]); }", true},
	"a function":        {"array[N] real z; for (n in 1:N) z[n] = noisy_rng(x[n] * a, b);", true},
	"matrices":          {"vector[2] z = multi_normal_rng([a, b]', [[2, 0.5], [0.5, 1]]); matrix[2, 2] w = wishart_rng(4, [[1, 0], [0, exp(a)]]); vector[3] t = dirichlet_rng([1, exp(a), 2]');", true},
	"categories":        {"array[N] int z; for (n in 1:N) z[n] = categorical_logit_rng([a, b * x[n], 0]');", true},
	"a chosen element":  {"real z = [a, b, a * b][categorical_rng([0.2, 0.5, 0.3]')];", false},
	"counts of draws":   {"array[N] real z; int above = 0; real twice = 0; for (n in 1:N) { z[n] = normal_rng(a * x[n], 1); if (z[n] > x[n]) { above += 1; twice += 2; } else if (z[n] < -1) above -= 1; }", true},
	"the largest draw":  {"array[N] real z; real top = negative_infinity(); int which = 0; for (n in 1:N) { z[n] = normal_rng(a, 1); if (z[n] >= top) { which = n; top = z[n]; } }", true},
	"picked rows":       {"array[3] real m = {a, b, a * b}; matrix[3, 2] w; for (i in 1:3) for (j in 1:2) w[i, j] = a * i + j; array[N] int k; array[N] real z; for (n in 1:N) { k[n] = categorical_rng([0.2, 0.5, 0.3]'); z[n] = m[k[n]] + w[k[n], 2] * x[n]; }", true},
	"chosen values":     {"real z = normal_rng(a, 1); real w = z > b ? z : b; int both = z > 0 && w < 1 || b == 0; real u; if (both) u = 3; else { real v = z * z; u = -v; if (v > 1 && z != b) u += 1; }", true},
	"a walk":            {"array[N] int s; s[1] = 1 + bernoulli_rng(0.5); array[2] real m = {a, b}; for (n in 2:N) { real p = inv_logit(m[s[n - 1]] + x[n]); s[n] = 1 + bernoulli_rng(p); }", true},
	"bounds by data":    {"array[N] real z; int up = 0; for (n in 1:N) { z[n] = normal_rng(a, 1); if (n > 1 && x[n - (n > 1)] > 0) up += 1; if (z[n] > b) { if (n > 1) up += z[n] > z[n - 1]; } if (n > 1 && z[n - 1] < a) up -= 1; if (n == 1 || z[n - 1] > z[n]) up += 1; }", true},
	"outside":           {"array[3] real m = {a, b, 1}; real z = m[poisson_rng(0.5) + 1];", true},

	"a condition":     {"real z = normal_rng(a, 1); real w = z > 0 ? normal_rng(0, 1) : 0;", false},
	"a size":          {"real z = sum(rep_vector(a, poisson_rng(3) + 1));", false},
	"a branch":        {"real z = a > 0 ? normal_rng(a, 1) : 1;", false},
	"statistics":      {"array[N] int z; for (n in 1:N) z[n] = poisson_rng(exp(a)); real m = mean(z); int top = max(z); real s = sd(to_vector(z)); real l = poisson_lpmf(z | exp(b)); real l3 = poisson_lpmf(z[3] | 2); array[N] int o = sort_asc(z);", true},
	"a large integer": {"int k = poisson_rng(268435455.5); int m = 8 * k;", true},
	"a constraint":    {"real<lower=-1> z = normal_rng(a, 1);", true},
}

// A row is the same from its program as from the reference interpreter, up to rounding, and so are
// the rows after it.
func TestDrawnRows(t *testing.T) {
	const size = 300
	text := `functions { real noisy_rng(real m, real s) { real e = normal_rng(0, 1); return m + e * exp(s); } }
data { int N; vector[N] x; } parameters { real a; real b; } model { a ~ normal(0, 1); b ~ normal(0, 1); } generated quantities { `
	in := `{"N": 300, "x": [` + strings.TrimSuffix(strings.Repeat("0.3, -1.2, 0.7, ", size/3), ", ") + "]}"
	for name, c := range drawnRows {
		t.Run(name, func(t *testing.T) {
			m, plain := bound(t, text+c.text+" }", in), bound(t, text+c.text+" }", in)
			bind.WithoutRowPrograms(plain)
			fast, slow := m.NewEvaluator(), plain.NewEvaluator()
			one, two := rand.New(rand.NewPCG(1, 2)), rand.New(rand.NewPCG(1, 2))
			got, want := make([]float64, len(m.Columns())), make([]float64, len(m.Columns()))
			for i := range 40 {
				q := []float64{0.5 - 0.05*float64(i), 0.1 * float64(i%5)}
				err, wantErr := fast.Write(q, one, got), slow.Write(q, two, want)
				if !sameText(err, wantErr) || err == nil && !slices.EqualFunc(got, want, func(x, y float64) bool { return close64(x, y, 1e-9) }) {
					t.Fatalf("row %d at %v: %v, %v; plainly %v, %v", i, q, got, err, want, wantErr)
				}
			}
			given := m.NewGenerator()
			for range 5 {
				err, wantErr := given.Row([]float64{0.3, -0.4}, one, got), slow.Write([]float64{0.3, -0.4}, two, want)
				if !sameText(err, wantErr) || err == nil && !slices.EqualFunc(got, want, func(x, y float64) bool { return close64(x, y, 1e-9) }) {
					t.Fatalf("from values: %v, %v; plainly %v, %v", got, err, want, wantErr)
				}
			}
			if found := bind.HasRowProgram(m); found != c.program {
				t.Errorf("has a program: %v, want %v", found, c.program)
			}
		})
	}
}

// Without parameters each row draws anew.
func TestDrawnRowsWithoutParameters(t *testing.T) {
	e := bound(t, "generated quantities { real z = normal_rng(0, 1); }", "{}").NewEvaluator()
	r, seen := rand.New(rand.NewPCG(1, 2)), map[float64]bool{}
	for range 5 {
		var out [1]float64
		if err := e.Write(nil, r, out[:]); err != nil {
			t.Fatal(err)
		}
		seen[out[0]] = true
	}
	if len(seen) != 5 {
		t.Errorf("%d different rows of 5", len(seen))
	}
}

// Rows that are always rejected are not recorded for ever, which takes many times as long as
// the reference interpreter, and rows that seldom are get a program all the same.
func TestRowsThatFail(t *testing.T) {
	for constraint, plain := range map[string]bool{"lower=9": true, "lower=-1.5": false} {
		m := bound(t, "parameters { real a; } model { a ~ normal(0, 1); } generated quantities { vector[40] z; for (n in 1:40) z[n] = std_normal_rng(); real<"+constraint+"> u = z[7]; }", "{}")
		e, r, out := m.NewEvaluator(), rand.New(rand.NewPCG(1, 2)), make([]float64, 42)
		for range 40 {
			if err := e.Write([]float64{0.5}, r, out); err != nil && !infer.IsReject(err) {
				t.Fatal(err)
			}
		}
		if bind.RowsArePlain(m) != plain || bind.HasRowProgram(m) == plain {
			t.Errorf("%s: rows are plain: %v, want %v", constraint, !plain, plain)
		}
	}
}

// Rows made in one pass are those made one by one, whether or not some of them are
// rejected, and wherever values violate a declaration.
func TestRowsInOnePass(t *testing.T) {
	m := bound(t, `data { int N; } parameters { real<lower=0> a; real b; } generated quantities {
  array[N] real u; u[1] = a; for (n in 2:N) u[n] = log(u[n - 1]) * b + exp(-u[n - 1]) + normal_lpdf(b | 0, a + u[n - 1]); }`, `{"N": 20}`)
	several, one := m.NewGenerator(), m.NewGenerator()
	bind.CompileRowLanesAtOnce(several)
	const n = 10
	values, got, errs := make([][]float64, n), infer.NewRows(n, 22), make([]error, n)
	for trial := range 30 {
		for i := range values {
			values[i] = []float64{0.1 + 0.3*float64(i), 0.05 * float64(trial-10)}
		}
		if trial == 29 {
			values[3][0] = -1
		}
		several.Rows(values, nil, got, errs)
		for i := range values {
			want := make([]float64, 22)
			err := one.Row(values[i], nil, want)
			if !sameText(err, errs[i]) || i == 3 && trial == 29 && err == nil {
				t.Fatalf("%v: error %v, alone %v", values[i], errs[i], err)
			}
			if err == nil && !slices.EqualFunc(got[i], want, func(x, y float64) bool { return x == y || x != x && y != y }) {
				t.Errorf("%v: %v, alone %v", values[i], got[i], want)
			}
		}
	}
}
