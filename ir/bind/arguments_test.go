// What a row costs by the kinds of a density's arguments: no combination may fall off the fast path.

package bind_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-12b88e03/ppl/infer/infertest/subset"
	"github.com/seed-12b88e03/ppl/ir/bind"
	"github.com/seed-12b88e03/ppl/ir/bind/bindtest"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// An argumentKind is a way to write an argument: what it costs may not fall as it says less.
type argumentKind struct {
	name       string
	whole, row string // the argument of all rows and of row n; $ is its number
	param      bool   // it depends on parameters
	varies     bool   // between rows
	gathers    bool   // from vectors of parameters
}

// argumentKinds are those of real arguments; integers take the first three.
var argumentKinds = []argumentKind{
	{name: "literal", whole: "LITERAL", row: "LITERAL"},
	{name: "number", whole: "s$", row: "s$"},
	{name: "array", whole: "i$", row: "i$[n]", varies: true},
	{name: "vector", whole: "d$", row: "d$[n]", varies: true},
	{name: "parameter", whole: "p$", row: "p$", param: true},
	{name: "expression", whole: "(LOW + q$ * x$)", row: "LOW + q$ * x$[n]", param: true, varies: true},
	{name: "groups", whole: "(0.5 * (u$[g] + v$[h]))", row: "0.5 * (u$[g[n]] + v$[h[n]])", param: true, varies: true, gathers: true},
	{name: "reals", whole: "r$", row: "r$[n]", param: true, varies: true, gathers: true},
}

// argumentDensities are univariate densities with the ranges of their arguments; "#" marks integers.
var argumentDensities = []string{
	"normal -1:2 -1:1 0.5:2", "std_normal -1:2", "exp_mod_normal -1:2 -1:1 0.5:2 0.5:2", "skew_normal -1:2 -1:1 0.5:2 -1:1",
	"student_t -1:2 2:9 -1:1 0.5:2", "cauchy -1:2 -1:1 0.5:2", "double_exponential -1:2 -1:1 0.5:2", "logistic -1:2 -1:1 0.5:2",
	"gumbel -1:2 -1:1 0.5:2", "skew_double_exponential -1:2 -1:1 0.5:2 0.2:0.8",
	"lognormal 0.5:2 -1:1 0.5:2", "chi_square 0.5:4 1:5", "inv_chi_square 0.5:4 1:5", "scaled_inv_chi_square 0.5:4 1:5 0.5:2",
	"exponential 0.5:4 0.5:2", "gamma 0.5:4 1:5 0.5:2", "inv_gamma 0.5:4 1:5 0.5:2", "weibull 0.5:4 1:3 0.5:2", "frechet 0.5:4 1:3 0.5:2",
	"rayleigh 0.5:4 0.5:2", "loglogistic 0.5:4 0.5:2 1:3", "pareto 2:4 0.5:1.5 1:3", "pareto_type_2 1:4 0:1 0.5:2 1:3",
	"beta 0.1:0.9 1:4 1:4", "beta_proportion 0.1:0.9 0.2:0.8 1:5", "uniform 0.4:0.6 0:0.3 0.7:1", "von_mises -1:2 -1:1 0.5:2",
	"bernoulli #0:1 0.1:0.9", "bernoulli_logit #0:1 -1:2", "binomial #0:5 #6:9 0.1:0.9", "binomial_logit #0:5 #6:9 -1:2",
	"beta_binomial #0:5 #6:9 1:4 1:4", "poisson #0:9 0.5:4", "poisson_log #0:9 -1:2", "neg_binomial #0:9 1:4 0.5:2",
	"neg_binomial_2 #0:9 0.5:4 1:5", "neg_binomial_2_log #0:9 -1:2 1:5", "beta_neg_binomial #0:9 1:4 2:4 1:3",
}

// An argumentModel is a density with its arguments' kinds, as one statement or in a loop.
type argumentModel struct {
	kinds []argumentKind
	loop  bool
	ns    float64 // nanoseconds a row, of a gradient
}

func (m argumentModel) String() string {
	names := make([]string, len(m.kinds))
	for i, k := range m.kinds {
		names[i] = k.name
	}
	if m.loop {
		names = append(names, "in a loop")
	}
	return strings.Join(names, ", ")
}

// saysLess reports that all arguments of m are at most as general as those of o: that m is no more work.
func (m argumentModel) saysLess(o argumentModel) bool {
	for i, k := range m.kinds {
		if k.param && !o.kinds[i].param || k.varies && !o.kinds[i].varies || k.gathers && !o.kinds[i].gathers {
			return false
		}
	}
	return true
}

// text is the program of some rows, with data that it makes itself.
func (m argumentModel) text(density string, rows int) string {
	f := strings.Fields(density)
	const groups = "vector<lower=LOW, upper=HIGH>[50] u$; vector<lower=LOW, upper=HIGH>[49] v$;"
	var data, params, locals, args []string
	for j, rng := range f[1:] {
		integer := strings.HasPrefix(rng, "#")
		low, high, _ := strings.Cut(strings.TrimPrefix(rng, "#"), ":")
		t := strings.NewReplacer("$", fmt.Sprint(j), "LOW", low, "HIGH", high)
		k, typ, draw := m.kinds[j], "real", "LOW + (HIGH - LOW) * fmod(0.618034 * n, 1)"
		if integer {
			typ, draw = "int", "LOW + n % (HIGH - LOW + 1)"
		}
		data = append(data, t.Replace(typ+" s$ = "+strings.Replace(draw, "n", "1", 1)+"; array[N] "+typ+" i$; for (n in 1:N) i$[n] = "+draw+
			"; vector[N] d$ = to_vector(i$); vector[N] x$ = 0.4 * (d$ - LOW);"))
		params = append(params, t.Replace(map[string]string{"parameter": "real<lower=LOW, upper=HIGH> p$;", "expression": "real<lower=0.5, upper=1.5> q$;",
			"groups": groups, "reals": groups}[k.name]))
		if k.name == "reals" {
			locals = append(locals, t.Replace("array[N] real r$ = to_array_1d(0.5 * (u$[g] + v$[h]));"))
		}
		arg := k.whole
		if m.loop {
			arg = k.row
		}
		literal := low
		if !integer {
			literal = "(0.5 * (LOW + HIGH))"
		}
		args = append(args, t.Replace(strings.Replace(arg, "LITERAL", literal, 1)))
	}
	body := args[0] + " ~ " + f[0] + "(" + strings.Join(args[1:], ", ") + ");"
	if m.loop {
		body = "for (n in 1:N) " + body
	}
	return "transformed data { int N = " + fmt.Sprint(rows) + "; array[N] int g; array[N] int h; for (n in 1:N) { g[n] = 1 + (n * 7) % 50; h[n] = 1 + n % 49; } " + strings.Join(data, " ") +
		" } parameters { " + strings.Join(params, " ") + " } model { " + strings.Join(locals, " ") + " " + body + " }"
}

// kindsOf are the kinds of an argument at its position: all of the first one, fewer of later ones and where these are many.
func kindsOf(rng string, position, of int) (kinds []argumentKind) {
	names := "literal number array vector parameter expression groups reals"
	if position > 0 {
		names = "number array vector parameter expression groups"
	}
	if of > 3 {
		names = "number array parameter expression"
	}
	for _, k := range argumentKinds {
		if slices.Contains(strings.Fields(names), k.name) && (!strings.HasPrefix(rng, "#") || !k.param && k.name != "vector") {
			kinds = append(kinds, k)
		}
	}
	return kinds
}

// argumentModels are all combinations of kinds with one that varies and one that depends on parameters.
func argumentModels(density string) []argumentModel {
	models := []argumentModel{{}}
	ranges := strings.Fields(density)[1:]
	for _, rng := range ranges {
		var longer []argumentModel
		for _, m := range models {
			for _, k := range kindsOf(rng, len(m.kinds), len(ranges)) {
				longer = append(longer, argumentModel{kinds: append(slices.Clone(m.kinds), k)})
			}
		}
		models = longer
	}
	models = slices.DeleteFunc(models, func(m argumentModel) bool {
		return !slices.ContainsFunc(m.kinds, func(k argumentKind) bool { return k.param }) || !slices.ContainsFunc(m.kinds, func(k argumentKind) bool { return k.varies })
	})
	for _, m := range slices.Clone(models) {
		models = append(models, argumentModel{kinds: m.kinds, loop: true})
	}
	return models
}

// gradientTime is the least time of a gradient over some windows, in nanoseconds.
func gradientTime(m *bind.Model, windows int) (float64, error) {
	q, grad, e := make([]float64, m.Dim()), make([]float64, m.Dim()), m.NewEvaluator()
	least := time.Duration(1 << 62)
	for i := range windows + 1 {
		start := time.Now()
		if _, err := e.LogDensityGrad(q, grad); err != nil {
			return 0, err
		}
		if i > 0 {
			least = min(least, time.Since(start))
		}
	}
	return float64(least.Nanoseconds()), nil
}

// BenchmarkArguments measures a gradient of every combination of kinds of arguments, and prints those that
// take more than twice the time of one that says more, and 0.5 ns a row more.
//
//	go test ./ir/bind -run NONE -bench Arguments -benchtime 1x [-v]
func BenchmarkArguments(b *testing.B) {
	for _, density := range argumentDensities {
		name, _, _ := strings.Cut(density, " ")
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				const argumentRows = 1000
				models := argumentModels(density)
				for i := range models {
					models[i].ns = argumentTime(b, models[i].text(density, argumentRows)) / argumentRows
				}
				reportArguments(b, models)
			}
		})
	}
}

func argumentTime(b *testing.B, text string) float64 {
	ns, err := gradientTime(bound(b, text, "{}"), 20)
	if err != nil {
		b.Fatal(text, err)
	}
	return ns
}

// TestArguments compares combinations with the reference interpreter and with differences.
func TestArguments(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 17))
	for _, density := range argumentDensities {
		for _, model := range argumentModels(density) {
			if !subset.Has(density+model.String(), 60) {
				continue
			}
			m := bound(t, model.text(density, 9), "{}")
			q := make([]float64, m.Dim())
			for i := range q {
				q[i] = r.NormFloat64()
			}
			if err := noDiffAt(m, m.NewEvaluator(), q); err != nil {
				t.Errorf("%s: %v: %v", density, model, err)
			}
		}
	}
}

// reportArguments lists what is slower than what says more, and the extremes.
func reportArguments(b *testing.B, models []argumentModel) {
	slowest, above := 0.0, 0
	for _, m := range models {
		slowest = max(slowest, m.ns)
		least := m
		for _, o := range models {
			if m.saysLess(o) && o.ns < least.ns {
				least = o
			}
		}
		if m.ns > 2*least.ns && m.ns > least.ns+0.5 {
			above++
			b.Logf("%.2f ns (%.1f times %v at %.2f): %v", m.ns, m.ns/least.ns, least, least.ns, m)
		}
	}
	b.ReportMetric(float64(len(models)), "combinations")
	b.ReportMetric(float64(above), "above-2x")
	b.ReportMetric(slowest, "slowest-ns/row")
}

// repeatedRowsModels are regressions of 2,000 rows of which 30 differ.
var repeatedRowsModels = [][2]string{
	{"bernoulli", "b ~ bernoulli_logit(a + X * d);"}, {"bernoulli by groups in a loop", "for (i in 1:N) b[i] ~ bernoulli_logit(a + d[1] * x[i] + u[g[i]]);"},
	{"bernoulli glm", "b ~ bernoulli_logit_glm(X, a, d);"}, {"probit in a loop", "for (i in 1:N) b[i] ~ bernoulli(Phi(a + X[i] * d));"},
	{"binomial", "n ~ binomial_logit(9, a + X * d);"}, {"poisson", "n ~ poisson_log(a + X * d);"}, {"poisson of exponentials", "n ~ poisson(exp(a + X * d));"},
	{"poisson glm", "n ~ poisson_log_glm(X, a, d);"}, {"negative binomial", "n ~ neg_binomial_2_log(a + X * d, s);"},
	{"normal by groups", "y ~ normal(a + X * d + u[g], s);"}, {"student t", "y ~ student_t(4, a + X * d, s);"},
}

// BenchmarkRepeatedRows measures gradients of regressions whose rows repeat, with and without counting these once.
//
//	go test ./ir/bind -run NONE -bench RepeatedRows -benchtime 1x
func BenchmarkRepeatedRows(b *testing.B) {
	const data = `transformed data { int N = 2000; matrix[N, 3] X; vector[N] x; vector[N] y; array[N] int g; array[N] int b; array[N] int n;
  for (i in 1:N) { int k = 1 + (i * 7) % 2; int l = 1 + (i * 11) % 5; int m = 1 + (i * 13) % 3; X[i] = [k, l, m]; x[i] = l; g[i] = m; y[i] = sin(i); b[i] = (i * i) % 7 < 3 ? 1 : 0; n[i] = (i * i) % 5; } }
parameters { real a; vector[3] d; vector[3] u; real<lower=0> s; } model { d ~ std_normal(); u ~ std_normal(); s ~ exponential(1); `
	lib := stdlib.New()
	for _, c := range repeatedRowsModels {
		p, err := bindtest.Compile("m.stan", data+c[1]+" }", "", lib)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(c[0], func(b *testing.B) {
			for b.Loop() {
				for _, without := range []string{"repeats", ""} {
					m, err := bind.Bind(p, lib, nil, bind.Options{Seed: 1, Without: strings.Fields(without)})
					if err != nil {
						b.Fatal(err)
					}
					ns, err := gradientTime(m, 100)
					if err != nil {
						b.Fatal(err)
					}
					b.ReportMetric(ns/1000, "us"+strings.Repeat("-without", len(without)/7))
				}
			}
		})
	}
}
