package diagnose_test

import (
	"math"
	"testing"

	"github.com/seed-12b88e03/ppl/diagnose"
	"github.com/seed-12b88e03/ppl/infer/draws"
)

// indicators are n draws of equal weight, of which k are 1 and the others 0, beside a normal column.
func indicators(n, k int) *draws.Draws {
	d := draws.New(1, []string{draws.LogWeightColumn}, []string{"x", "z"})
	for i := range n {
		x, z := math.Sin(float64(7*i)), 0.0
		if i < k {
			z = 1
		}
		d.Append(draws.Row{Iteration: i, LogDensity: x, Stats: []float64{-math.Log(float64(n))}, Values: []float64{x, z}})
	}
	return d
}

func findsRare(n, k int) bool {
	for _, f := range diagnose.Fit(indicators(n, k), draws.Plan{}, nil) {
		if f.Name == "rare_values" {
			return f.Severity == diagnose.None
		}
	}
	return false
}

// The mean of an indicator in n draws is off by more than 0.35 standard deviations, and nothing says
// so, with a probability of at most 3 % whatever the indicator's own probability is, by the binomial
// distribution: it was up to 7 %.
func TestRareValuesAreNotTakenForKnown(t *testing.T) {
	const n = 100
	var silent [n + 1]bool
	for k := range silent {
		silent[k] = !findsRare(n, k)
	}
	if !silent[0] || silent[1] || silent[2] || !silent[5] || !silent[n/2] || silent[n-1] || !silent[n] {
		t.Errorf("no finding for these numbers of draws: %v", silent)
	}
	for p := 1e-6; p < 0.5; p *= 1.1 {
		missed := 0.0
		for k := range silent {
			share := float64(k) / n
			if silent[k] && share-p > 0.35*math.Sqrt(p*(1-p)) {
				all, _ := math.Lgamma(n + 1)
				a, _ := math.Lgamma(float64(k) + 1)
				b, _ := math.Lgamma(float64(n-k) + 1)
				missed += math.Exp(all - a - b + float64(k)*math.Log(p) + float64(n-k)*math.Log1p(-p))
			}
		}
		if missed > 0.03 {
			t.Errorf("an indicator of probability %.2g is wrong without a word with probability %.3f", p, missed)
		}
	}
	for k := range 10 { // a mean of 4,000 draws is never off by so much
		if findsRare(4000, k) {
			t.Errorf("%d of 4000 draws are called too few", k)
		}
	}
}
