package lang

// This file tests verdicts on posteriors that a population from the prior does not come to within its budget.

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/seed-12b88e03/ppl/diagnose"
	"github.com/seed-12b88e03/ppl/infer/draws"
)

// farPriors are programs whose posterior is far from the prior, or narrow in many dimensions, with an answer that is right.
func farPriors() map[string]map[string]any {
	r := rand.New(rand.NewPCG(1, 2))
	const d, n = 25, 60
	x, y := make([][]float64, n), make([]float64, n)
	for i := range x {
		x[i] = make([]float64, d)
		for j := range x[i] {
			x[i][j] = r.NormFloat64()
			y[i] += x[i][j]
		}
		y[i] += r.NormFloat64()
	}
	return map[string]map[string]any{
		"parameters { vector[3] mu; } model { mu ~ normal(0, 1); [800, 805, 790]' ~ normal(mu, 0.5); }":                                                          nil,
		"parameters { real a; real<offset=0, multiplier=1e7> b; } model { a ~ normal(0, 1e7); b ~ normal(0, 1e7); 2 ~ normal(a + b, 1); 3 ~ normal(a - b, 1); }": nil,
		"data { int N; int D; matrix[N, D] x; vector[N] y; } parameters { vector[D] b; } model { b ~ normal(0, 3); y ~ normal(x * b, 1); }":                      {"N": n, "D": d, "x": x, "y": y},
	}
}

// TestFarPriors: right answers are good where the way from the prior is long.
func TestFarPriors(t *testing.T) {
	for text, data := range farPriors() {
		m := mustBind(t, text, data)
		for _, method := range []string{"laplace()", "nuts()"} {
			fit, err := runExpr(t, m, method)
			if err != nil {
				t.Fatal(ErrorText(err))
			}
			if worst := diagnose.Worst(fit.Findings); worst != diagnose.Good {
				t.Errorf("%s of %s: %v, want good: %+v", method, text, worst, fit.Posterior.Population)
			}
		}
	}
}

// TestFarPriorsTwoModes: where the data leave a sign open, the answer about one of them is not good, however far the prior.
func TestFarPriorsTwoModes(t *testing.T) {
	m := mustBind(t, "parameters { vector[3] mu; } model { mu ~ normal(0, 1); [640000, 640100, 639900]' ~ normal(mu .* mu, 30); }", nil)
	fit, err := runExpr(t, m, "laplace()")
	if err != nil {
		t.Fatal(ErrorText(err))
	}
	if worst := diagnose.Worst(fit.Findings); worst == diagnose.Good {
		t.Errorf("laplace: %v, of one of eight modes: %+v", worst, fit.Posterior.Population)
	}
}

// TestGibbsPriorGoesOn: where the steps asked for are just too few for a verdict, gibbs_prior makes more. Each answer is exact, and keeps
// five sixths of what the parameter was.
func TestGibbsPriorGoesOn(t *testing.T) {
	m := mustBind(t, `data { vector[5] y; } parameters { real mu; } model { mu ~ normal(0, 1); y ~ normal(mu, 1); }
simulate { mu = normal_rng(0, 1); for (n in 1:5) y[n] = normal_rng(mu, 1); }`, map[string]any{"y": []float64{1, 2, 0, 1, 1}})
	d, err := m.Program.Diagnosis("gibbs_prior(laplace(draws = 1), steps = 300)")
	if err != nil {
		t.Fatal(ErrorText(err))
	}
	v, err := m.Diagnose(context.Background(), d, RunOptions{Seed: 3})
	if err != nil {
		t.Fatal(ErrorText(err))
	}
	if v.Severity != diagnose.Good {
		t.Errorf("%v: %s", v.Severity, v.Summary)
	}
}

// TestNoShortcutOfManyParameters: of many parameters, normal approximations at modes cost far more than a fit, and none are made.
func TestNoShortcutOfManyParameters(t *testing.T) {
	for n, want := range map[int]string{150: draws.ModesStart, 250: draws.PriorStart} {
		m := mustBind(t, "data { int n; } parameters { vector[n] mu; } model { mu ~ normal(0, 1); rep_vector(1, n) ~ normal(mu, 1e-4); }", map[string]any{"n": n})
		fit, err := runExpr(t, m, "laplace()")
		if err != nil {
			t.Fatal(ErrorText(err))
		}
		if got := fit.Posterior.Population.From; got != want {
			t.Errorf("%d parameters: the population starts from %s, want %s", n, got, want)
		}
	}
}
