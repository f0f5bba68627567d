// Mixtures taken apart.

package bind_test

import (
	"math"
	"testing"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/ir/bind"
)

// TestBranches: every way to write a mixture of N(1, 1) and N(30, 0.1) has two branches, whose densities fall by
// what those fall by; a model without has none.
func TestBranches(t *testing.T) {
	const both = "normal_lpdf(x | 1, 1), normal_lpdf(x | 30, 0.1)"
	for name, text := range map[string]string{
		"log_mix":       "target += log_mix(0.4, " + both + ");",
		"two numbers":   "target += log_sum_exp(log(0.4) + normal_lpdf(x | 1, 1), log(0.6) + normal_lpdf(x | 30, 0.1));",
		"row":           "target += log_sum_exp([" + both + "]);",
		"shares":        "target += log_mix([0.4, 0.6]', [" + both + "]');",
		"variable":      "vector[2] lp; lp[1] = normal_lpdf(x | 1, 1); lp[2] = normal_lpdf(x | 30, 0.1); target += log_sum_exp(lp);",
		"sum":           "target += log(0.4 * exp(normal_lpdf(x | 1, 1)) + 0.6 * exp(normal_lpdf(x | 30, 0.1)));",
		"function":      "target += f(x);",
		"local array":   "target += h(x);",
		"distribution":  "x ~ g();",
		"inside others": "if (1 > 0) { for (i in 1:1) { target += 0 + log_mix(0.4, " + both + "); } }",
	} {
		m := bound(t, "functions { real f(real x) { return log_mix(0.4, "+both+"); } real g_lpdf(real x) { return f(x); } real h(real x) { array[2] real lp = {"+both+"}; return log_sum_exp(lp); } }"+
			"parameters { real x; } model { "+text+" }", "{}")
		found := map[float64]bool{}
		for _, b := range bind.Branches(m) {
			for at, sd := range map[float64]float64{1: 1, 30: 0.1} {
				if infer.Guarded(func() error { return falls(b.NewEvaluator(), at, sd) }) == nil {
					found[at] = true
				}
			}
		}
		if len(found) != 2 {
			t.Errorf("%s: branches found at %v", name, found)
		}
	}
	three := "target += log(0.2 * exp(normal_lpdf(x | 1, 1)) + 0.5 * exp(normal_lpdf(x | 30, 0.1)) + 0.3 * exp(normal_lpdf(x | -9, 2)));"
	if b := bind.Branches(bound(t, "parameters { real x; } model { "+three+" }", "{}")); len(b) != 3 {
		t.Errorf("%d branches of a sum of three", len(b))
	}
	if b := bind.Branches(bound(t, "parameters { real x; } model { x ~ normal(0, 1); target += log1p_exp(x) + log(1 + exp(x)); }", "{}")); len(b) != 0 {
		t.Errorf("%d branches of no mixture", len(b))
	}
}

// TestBranchesOfRecursion: functions that call themselves, before they use what they are given and after, are gone through once.
func TestBranchesOfRecursion(t *testing.T) {
	m := bound(t, `functions { real f(int n, real x); real f(int n, real x) { return n < 1 ? square(x) : f(n - 1, f(n - 1, x)) + x; }
  real g(real x) { return 1 + (x > 3 ? 0 : g(x + 1)); } }
parameters { real x; } model { x ~ normal(0, 1); if (f(2, x) > 0.5) target += 1; if (x > 1e9 && g(x) > 2) target += 1; }`, "{}")
	_ = bind.Branches(m) // it ends
}

// falls reports an error unless a density falls from a place by half a nat in one standard deviation, and as a normal's
// as far away as the other branch.
func falls(t infer.Target, at, sd float64) error {
	for _, far := range []float64{-1, (31 - 2*at) / sd} {
		top, err := t.LogDensity([]float64{at})
		if err != nil {
			return err
		}
		low, err := t.LogDensity([]float64{at + far*sd})
		if err != nil {
			return err
		}
		if math.Abs(top-low-far*far/2) > 1e-6*(1+far*far) {
			return infer.ErrInterrupted
		}
	}
	return nil
}
