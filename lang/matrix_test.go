package lang

// This file runs every method of the language in every wrapper.

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/diagnose/bread"
	"github.com/seed-12b88e03/ppl/diagnose/gibbsprior"
	"github.com/seed-12b88e03/ppl/diagnose/sbc"
	"github.com/seed-12b88e03/ppl/infer/infertest/subset"
)

// short has each method at a size that ends at once.
var short = map[string]string{
	"nuts":        "nuts(chains = 1, warmup = 30, draws = 30)",
	"walnuts":     "walnuts(chains = 1, warmup = 30, draws = 30)",
	"hmc":         "hmc(chains = 1, warmup = 30, draws = 30)",
	"mh":          "mh(chains = 1, warmup = 30, draws = 30)",
	"gibbs":       "gibbs(chains = 1, warmup = 10, draws = 30)",
	"sgld":        "sgld(chains = 1, warmup = 30, draws = 30)",
	"advi":        "advi(iterations = 20, draws = 30)",
	"gvi":         "gvi(divergence = renyi(0.5), iterations = 20, draws = 30)",
	"fvi":         "fvi(divergence = renyi(0.5), iterations = 20, draws = 30)",
	"cavi":        "cavi(draws = 30)",
	"laplace":     "laplace(draws = 30)",
	"map":         "map()",
	"pathfinder":  "pathfinder(paths = 1, draws = 30)",
	"ais":         "ais(nuts(), steps = 3, chains = 20)",
	"smc":         "smc(nuts(), particles = 20, moves = 2)",
	"bridge":      "bridge(nuts(chains = 1, warmup = 30, draws = 30))",
	"prior_swap":  "prior_swap(nuts(chains = 1, warmup = 30, draws = 30), with = nuts(chains = 1, warmup = 30, draws = 30)) { b ~ normal(0.5, 1); }",
	"gibbs_prior": "gibbs_prior(laplace(draws = 30), steps = 30, chains = 2)",
}

// around has each wrapper at such a size; %s is the method inside.
var around = map[string]string{
	"ais":         "ais(%s, steps = 3, chains = 20)",
	"smc":         "smc(%s, particles = 20, moves = 2)",
	"bridge":      "bridge(%s)",
	"prior_swap":  "prior_swap(%s, with = nuts(chains = 1, warmup = 30, draws = 30)) { a ~ student_t(5, 0, 1); }",
	"gibbs_prior": "gibbs_prior(%s, steps = 2, chains = 2)",
	"bread":       "bread(%s, steps = [3], chains = 3, datasets = 2)",
	"sbc":         "sbc(%s, replications = 3, draws = 9, bins = 2)",

	"posterior_predictive": "posterior_predictive(%s, replications = 3, calibration = 2)",
	"held_out":             "held_out(%s, splits = 1)",
}

// meaningless has the pairs that are compile errors, with the reason that the error gives.
var meaningless = map[string]map[string]string{
	"ais":                  reasons("it gives no density or Markov kernel", "sgld", "map", "smc", "gibbs_prior"),
	"smc":                  reasons("it gives no Markov kernel", "sgld", "advi", "gvi", "fvi", "cavi", "laplace", "map", "pathfinder", "smc", "gibbs_prior"),
	"bridge":               {"map": "a mode is no sample", "gibbs_prior": "its draws are from a prior"},
	"prior_swap":           {"map": "a mode is no sample"},
	"posterior_predictive": {"map": "a mode is no sample", "gibbs_prior": "its draws are from a prior"},
	"held_out":             {"gibbs_prior": "its draws are from a prior"},
	"bread": {
		"smc": "its particles interact", "sgld": "its steps leave no target unchanged",
		"map": "a mode is no sample", "gibbs_prior": "its draws are from a prior",
	},
}

func reasons(why string, methods ...string) map[string]string {
	out := map[string]string{}
	for _, name := range methods {
		out[name] = why
	}
	return out
}

// lines is a small model that every method can run on.
func lines(t *testing.T) *Model {
	return mustBind(t, `
data { int N; vector[N] y; vector[N] x; }
parameters { real a; real b; }
model {
  a ~ normal(0, 1);
  b ~ normal(0, 1);
  y ~ normal(a + b * x, 1);
}`, map[string]any{"N": 8, "y": []float64{1, 2, 0, 1, 3, 1, 2, 2}, "x": []float64{-1, 1, -1, 1, 0, 1, 0.5, 0}})
}

// asMethod and asDiagnosis run an expression.
func asMethod(m *Model, expr string) error {
	method, err := m.Program.Method(expr)
	if err == nil {
		_, err = m.Run(context.Background(), method, RunOptions{Seed: 1})
	}
	return err
}

func asDiagnosis(m *Model, expr string) error {
	d, err := m.Program.Diagnosis(expr)
	if err != nil {
		return err
	}
	v, err := m.Diagnose(context.Background(), d, RunOptions{Seed: 1})
	if err != nil {
		return err
	}
	failures := 0
	switch f := v.Figures.(type) {
	case sbc.Figures:
		failures = f.Failures
	case *gibbsprior.Figures:
		failures = f.Failures
	}
	if failures > 0 {
		return fmt.Errorf("%d replications failed: %s %q", failures, v.Summary, v.Notes)
	}
	return nil
}

// TestEveryMethodInEveryWrapper: each pair of the table of methods runs, or is a compile
// error that says why. Without PPL_ALL one in four of those that run is taken. Whoever adds a method or a wrapper adds it
// to the maps above.
func TestEveryMethodInEveryWrapper(t *testing.T) {
	m := lines(t)
	cells := 0
	for _, wrapper := range Methods().Rows {
		if !wrapper.Wrapper {
			continue
		}
		outside, ok := around[wrapper.Name]
		if !ok {
			t.Errorf("the wrapper %s has no row in this test", wrapper.Name)
			continue
		}
		for _, method := range Methods().Rows {
			if method.Gives == 0 {
				continue
			}
			inside, ok := short[method.Name]
			if !ok {
				t.Fatalf("the method %s has no column in this test", method.Name)
			}
			expr, why := fmt.Sprintf(outside, inside), meaningless[wrapper.Name][method.Name]
			if why == "" && !subset.Has(expr, 4) {
				continue
			}
			if wrapper.Gives != 0 {
				cell(t, expr, why, asMethod(m, expr))
				cells++
			}
			if wrapper.Diagnose {
				cell(t, "diagnose "+expr, why, asDiagnosis(m, expr))
				cells++
			}
			if wrapper.Name == "sbc" {
				expr := strings.Replace(expr, "replications", `from = "posterior", replications`, 1)
				cell(t, "diagnose "+expr, why, asDiagnosis(m, expr))
				cells++
			}
		}
	}
	t.Logf("%d cells", cells)
}

// cell holds what a pair gave against what it should: why is the reason of the compile
// error, empty where it should run.
func cell(t *testing.T, expr, why string, err error) {
	t.Helper()
	var compile *CompileError
	switch {
	case why == "" && err != nil:
		t.Errorf("%s: %v", expr, ErrorText(err))
	case why != "" && !errors.As(err, &compile):
		t.Errorf("%s: %v is no compile error", expr, err)
	case why != "" && !strings.Contains(ErrorText(err), why):
		t.Errorf("%s: %s does not say %q", expr, ErrorText(err), why)
	}
}

// TestNesting: wrappers in wrappers, and what needs a density of what gives none.
func TestNesting(t *testing.T) {
	m := lines(t)
	const swap = " { b ~ double_exponential(0, 0.5); }"
	for _, expr := range []string{
		"gibbs_prior(prior_swap(advi(iterations = 20))" + swap + ", steps = 2, chains = 2)",
		"gibbs_prior(ais(prior_swap(nuts(chains = 1, warmup = 30, draws = 30))" + swap + ", steps = 3, chains = 20), steps = 2, chains = 2)",
		"bread(prior_swap(nuts(chains = 1, warmup = 30, draws = 30))" + swap + ", steps = [3], chains = 3, datasets = 2)",
		"bread(bridge(ais(advi(iterations = 20), steps = 3, chains = 20)), steps = [3], chains = 3, datasets = 2)",
		"sbc(gibbs(chains = 1, warmup = 10, draws = 30), replications = 3, draws = 9, bins = 2)",
		"sbc(bridge(prior_swap(smc(nuts(), particles = 20))" + swap + "), replications = 3, draws = 9, bins = 2)",
	} {
		cell(t, expr, "", asDiagnosis(m, expr))
	}
	for _, method := range []string{"map", "sgld", "nuts", "smc", "gibbs_prior"} {
		why := "it gives no density"
		if method == "map" {
			why = "a mode is no sample, and has no density"
		}
		expr := `prior_swap(` + short[method] + `, from = "density")` + swap
		cell(t, expr, why, asMethod(m, expr))
	}
}

// TestSwapInside: what wraps prior_swap is about the new priors, those of all swaps
// inside. y ~ N(3, I + 0.01) and with both new priors y_1 ~ N(3, 1.01), y_2 ~ N(-3, 1.04).
func TestSwapInside(t *testing.T) {
	one := mustBind(t, "data { vector[2] y; } parameters { real a; } model { a ~ normal(0, 1); y ~ normal(a, 1); }", map[string]any{"y": []float64{1, 2}})
	two := mustBind(t, "data { vector[2] y; } parameters { real a; real b; } model { a ~ normal(0, 1); b ~ normal(0, 1); y[1] ~ normal(a, 1); y[2] ~ normal(b, 1); }",
		map[string]any{"y": []float64{1, 2}})
	logNormal := func(d, v float64) float64 { return -d*d/(2*v) - math.Log(2*math.Pi*v)/2 }
	// In the direction of the sum and of the difference of y.
	exact1 := logNormal((1.0+2-6)/math.Sqrt2, 1.02) + logNormal(-1/math.Sqrt2, 1)
	exact2 := logNormal(1-3, 1.01) + logNormal(2+3, 1.04)
	const swap1, swap2 = " { a ~ normal(3, 0.1); }", " { b ~ normal(-3, 0.2); }"
	for _, c := range []struct {
		m     *Model
		expr  string
		exact float64
	}{
		{one, "ais(prior_swap(nuts())" + swap1 + ")", exact1},
		{one, "ais(prior_swap(laplace())" + swap1 + ")", exact1},
		{one, "smc(prior_swap(nuts())" + swap1 + ")", exact1},
		{one, "bridge(prior_swap(laplace())" + swap1 + ")", exact1},
		{two, "ais(prior_swap(prior_swap(nuts())" + swap1 + ")" + swap2 + ")", exact2},
	} {
		method, err := c.m.Program.Method(c.expr)
		if err != nil {
			t.Fatal(ErrorText(err))
		}
		fit, err := c.m.Run(context.Background(), method, RunOptions{Seed: 1})
		if err != nil {
			t.Fatal(ErrorText(err))
		}
		if e := fit.Posterior.LogEvidence; math.Abs(e.Value-c.exact) > 4*e.Error+1e-6 || e.Error > 0.05 {
			t.Errorf("%s: log evidence %.4f with error %.4f, exactly %.4f", c.expr, e.Value, e.Error, c.exact)
		}
	}
	// Over simulated data sets log p(y) is minus the entropy of N(3, 1.01) and N(-3, 1.04).
	d, err := two.Program.Diagnosis("bread(prior_swap(prior_swap(nuts())" + swap1 + ")" + swap2 + ", steps = [30], chains = 3, datasets = 20)")
	if err != nil {
		t.Fatal(ErrorText(err))
	}
	v, err := two.Diagnose(context.Background(), d, RunOptions{Seed: 1})
	if err != nil {
		t.Fatal(ErrorText(err))
	}
	e := v.Figures.(bread.Figures).LogEvidence
	if exact := -1 - math.Log(2*math.Pi*math.Sqrt(1.01*1.04)); math.Abs(float64(e.Estimate)-exact) > 4*float64(e.Error) {
		t.Errorf("bread: log evidence %.3f with error %.3f, exactly %.3f", e.Estimate, e.Error, exact)
	}
}
