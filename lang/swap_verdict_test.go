package lang

// This file tests what is said of swaps: of modes, of what is no distribution, of answers
// that are exact, and of draws that were read back from files.

import (
	"context"
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/seed-12b88e03/ppl/diagnose"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/infer/infertest/subset"
)

const (
	meanAndScale = `data { int N; vector[N] y; } parameters { real mu; real<lower=0> s; }
model { mu ~ normal(0, 2); s ~ lognormal(0, 1); y ~ normal(mu, s); }`
	normalMean  = `data { int N; vector[N] y; } parameters { real mu; } model { mu ~ normal(0, 1); y ~ normal(mu, 1); }`
	poissonRate = `data { int N; array[N] int y; } parameters { real<lower=0> r; } model { r ~ gamma(1, 1); y ~ poisson(r); }`
	poissonLog  = `data { int N; array[N] int y; } parameters { real b; } model { b ~ normal(0, 1); y ~ poisson_log(b); }`
)

// ofSwap runs a swap and gives its finding.
func ofSwap(t *testing.T, m *Model, e *Earlier, expr string) (*Fit, diagnose.Finding) {
	t.Helper()
	method, err := m.Program.Method(expr)
	if e != nil {
		method, err = m.Program.MethodOn(e, expr)
	}
	if err != nil {
		t.Fatal(ErrorText(err))
	}
	fit, err := m.Run(context.Background(), method, RunOptions{Seed: 1})
	if err != nil {
		t.Fatal(expr, ErrorText(err))
	}
	for _, f := range fit.Findings {
		if f.Name == "prior_swap" {
			return fit, f
		}
	}
	t.Fatal("no finding")
	return nil, diagnose.Finding{}
}

// TestSwapVerdicts: modes are judged by the gradient there or by the closed form, a swapped
// density that grows without bound is bad, and weights that are even are believed whatever
// the shape of their tail.
func TestSwapVerdicts(t *testing.T) {
	y := map[string]any{"N": 6, "y": []float64{1.6, 1.9, 0.3, 2.2, 1.0, 1.1}}
	few := map[string]any{"N": 3, "y": []int{1, 0, 0}}
	counts := map[string]any{"N": 3, "y": []int{7, 0, 3}}
	for _, c := range []struct {
		text string
		data map[string]any
		expr string
		want diagnose.Severity
	}{
		{meanAndScale, y, "prior_swap(nuts(), with = map()) { mu ~ student_t(3, 0, 0.5); }", diagnose.Good},
		{normalMean, y, "prior_swap(nuts(), with = map()) { mu ~ normal(1, 0.01); }", diagnose.Good},
		{poissonLog, counts, `prior_swap(laplace(), from = "density", with = map()) { b ~ cauchy(0, 3); }`, diagnose.Good},
		{poissonLog, counts, `prior_swap(laplace(), from = "density", with = map()) { b ~ normal(9, 0.5); }`, diagnose.Bad},
		{poissonRate, few, `prior_swap(laplace(), from = "density") { r ~ lognormal(1.25, 1.16); }`, diagnose.Bad},
		{poissonRate, few, "prior_swap(laplace()) { r ~ lognormal(1.25, 1.16); }", diagnose.Good},
		{poissonLog, counts, "prior_swap(laplace()) { b ~ normal(0.05, 1.01); }", diagnose.Good},
		{meanAndScale, y, `prior_swap(nuts(), from = "exact") { mu ~ normal(0, 1); }`, diagnose.Good},
		{normalMean, y, "prior_swap(advi()) { mu ~ normal(1, 0.5); }", diagnose.Good},
	} {
		if !subset.Has(c.text+c.expr, 2) {
			continue
		}
		if _, f := ofSwap(t, mustBind(t, c.text, c.data), nil, c.expr); f.Severity != c.want {
			t.Errorf("%s: %s, want %s: %s (%s %.3g)", c.expr, f.Severity, c.want, f.Meaning, f.Quantity, float64(f.Value))
		}
	}
}

// TestSwapManyCoordinates: a normal posterior of 40 coordinates has more terms than are
// looked for in log densities, and is exact by default all the same.
func TestSwapManyCoordinates(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	const n, d = 60, 40
	x, y := make([][]float64, n), make([]float64, n)
	for i := range x {
		x[i] = make([]float64, d)
		for j := range x[i] {
			x[i][j] = r.NormFloat64()
		}
		y[i] = x[i][0] + r.NormFloat64()
	}
	m := mustBind(t, `data { int N; int d; matrix[N, d] x; vector[N] y; } parameters { vector[d] b; }
model { b ~ normal(0, 1); y ~ normal(x * b, 1); }`, map[string]any{"N": n, "d": d, "x": x, "y": y})
	fit, f := ofSwap(t, m, nil, "prior_swap(nuts(warmup = 300, draws = 300), with = nuts(warmup = 300, draws = 300)) { b ~ normal(0.1, 0.8); }")
	if f.Severity != diagnose.Good || fit.Posterior.Swap.From != "exact" {
		t.Errorf("%s from %s: %s", f.Severity, fit.Posterior.Swap.From, f.Meaning)
	}
}

// TestSwapReadBack: a closed form is found in draws of eight digits, too, however large the
// log density is: y of N(0.3, 1), N(0, 1) exchanged for N(1, 0.01), means to 5 errors of 1,000
// effective draws.
func TestSwapReadBack(t *testing.T) {
	for _, n := range []int{100, 5000} {
		r, y, sum := rand.New(rand.NewPCG(3, 4)), make([]float64, n), 0.0
		for i := range y {
			y[i] = math.Round(1000*(0.3+r.NormFloat64())) / 1000
			sum += y[i]
		}
		m := mustBind(t, normalMean, map[string]any{"N": n, "y": y})
		method, err := m.Program.Method("nuts()")
		if err != nil {
			t.Fatal(ErrorText(err))
		}
		fit, err := m.Run(context.Background(), method, RunOptions{Seed: 1})
		if err != nil {
			t.Fatal(ErrorText(err))
		}
		_, f := ofSwap(t, m, &Earlier{Draws: eightDigits(fit.Posterior.Draws)}, "prior_swap(fit) { mu ~ normal(1, 0.01); }")
		if f.Severity != diagnose.Good {
			t.Errorf("%d observations: %s: %s", n, f.Severity, f.Meaning)
		}
		swapped, _ := ofSwap(t, m, &Earlier{Draws: eightDigits(fit.Posterior.Draws)}, "prior_swap(fit) { mu ~ normal(1, 0.01); }")
		precision := 1e4 + float64(n)
		exact, sd := (1e4+sum)/precision, 1/math.Sqrt(precision)
		if got := swapped.Summaries[1].Mean; math.Abs(got-exact) > 5*sd/math.Sqrt(1000) {
			t.Errorf("%d observations: mean %.5f, exactly %.5f (sd %.5f)", n, got, exact, sd)
		}
	}
}

// eightDigits are draws as a file has them.
func eightDigits(d *draws.Draws) *draws.Draws {
	short := func(x float64) float64 {
		v, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 8, 64), 64)
		return v
	}
	out := draws.New(d.Chains(), nil, d.Columns())
	for c := range d.Chains() {
		for i := range d.Len(c) {
			row := draws.Row{Chain: c, LogDensity: short(d.Column(draws.LogDensityColumn)[c][i])}
			for _, name := range d.Columns() {
				row.Values = append(row.Values, short(d.Column(name)[c][i]))
			}
			out.Append(row)
		}
	}
	return out
}
