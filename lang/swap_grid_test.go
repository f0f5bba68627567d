package lang

// This file tests grids of priors.

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/infer/draws"
)

// TestSwapGrid: mu ~ normal(0, 1), n observations of normal(mu, 1): under the prior normal(1, v) the posterior is normal with
// precision n + 1/v^2 and mean (sum of y + 1/v^2) over that, for each v of the grid; within 5 standard errors of means and 10 % of sds. The
// wrapped method is run once.
func TestSwapGrid(t *testing.T) {
	y := []float64{1.6, 1.9, 0.3, 2.2, 1, 1.1}
	m := mustBind(t, `data { int N; vector[N] y; }
		parameters { real mu; }
		model { mu ~ normal(0, 1); y ~ normal(mu, 1); }
		inference { s = prior_swap(nuts(draws = 1000)) for v in [0.5, 1, sqrt(N) - 2] { mu ~ normal(1, v); } }`, map[string]any{"N": 6, "y": y})
	methods, err := m.Program.Methods()
	if err != nil {
		t.Fatal(ErrorText(err))
	}
	values := map[string]float64{"0.5": 0.5, "1": 1, "sqrt(N) - 2": math.Sqrt(6) - 2}
	shared := Share(methods)
	var names []string
	for _, method := range methods {
		names = append(names, method.Name())
		if g := method.Grid(); g == nil || g.Of != "s" || g.Variable != "v" {
			t.Fatalf("%s is the point %+v", method.Name(), g)
		}
		fit, err := m.Run(context.Background(), method, RunOptions{Seed: 1, Jobs: 2, Shared: shared})
		if err != nil {
			t.Fatal(ErrorText(err))
		}
		sum, v := 0.0, values[method.Grid().Value]
		for _, x := range y {
			sum += x
		}
		precision := float64(len(y)) + 1/(v*v)
		mean, sd := (sum+1/(v*v))/precision, 1/math.Sqrt(precision)
		x := fit.Posterior.Draws.Column("mu")
		t.Logf("%s: %.3f (%.3f), exactly %.3f (%.3f)", fit.Method, draws.Mean(x), draws.SD(x), mean, sd)
		if math.Abs(draws.Mean(x)-mean) > 5*draws.MCSEMean(x) || math.Abs(draws.SD(x)/sd-1) > 0.1 {
			t.Errorf("v = %g: %.3f (%.3f), exactly %.3f (%.3f)", v, draws.Mean(x), draws.SD(x), mean, sd)
		}
		// What a fit says of itself is a method that can be asked for.
		again, err := m.Program.Method(fit.Method)
		if err != nil {
			t.Fatal(ErrorText(err))
		}
		if again.Grid().Value != method.Grid().Value {
			t.Errorf("%s is read as the point %+v", fit.Method, again.Grid())
		}
	}
	if !slices.Equal(names, []string{"s_1", "s_2", "s_3"}) {
		t.Errorf("%v", names)
	}
	runs := 0
	for key := range shared.runs {
		if strings.HasPrefix(key, "s = nuts(") {
			runs++
		}
	}
	if runs != 1 || len(shared.runs) != 1+len(names) {
		t.Errorf("the wrapped method was run %d times", len(shared.runs)-len(names))
	}
}
