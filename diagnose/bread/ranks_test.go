package bread_test

import (
	"math"
	"testing"

	"github.com/seed-12b88e03/ppl/diagnose"
	"github.com/seed-12b88e03/ppl/infer/infertest/subset"
)

// A simulator that is wrong by a factor of 2 in its noise, beside a kernel that forgets at once:
// long chains have the same weights from wherever they start, so that weights hardly show it.
// Data vary too much, and too little. Of 20 verdicts each at most 1 may be good; by weights
// alone 3 and 20 are.
func TestSimulatorsBesideKernelsThatForget(t *testing.T) {
	for _, fake := range []float64{2, 0.4} {
		good := 0
		for seed := range uint64(20) {
			o := quick(markov{pull(0)})
			o.Steps, o.Chains, o.Datasets = []int{100, 300}, 10, 10
			v, f := judge(t, o, newGauss(1, 1, fake, make([]float64, 8)), 300+seed)
			if v.Severity == diagnose.Good {
				good++
				t.Logf("noise %g, seed %d: %+v", fake, seed, f.Ranks)
			}
		}
		if good > 1 {
			t.Errorf("noise of %g in place of 1: %d of 20 verdicts are good", fake, good)
		}
	}
}

// Ranks are uniform however far the chains are from the posterior: 3 steps of a slow kernel.
// The share of p-values below 0.2 is 0.2, within 4 standard errors (false alarm: 1 in 5,000 for
// the three shares together).
func TestRanksAreUniform(t *testing.T) {
	n := subset.Of(300, 3000)
	below := map[string]int{}
	for i := range n {
		o := quick(markov{pull(0.9)})
		o.Steps, o.Chains, o.Datasets = []int{3}, 5, 5
		_, f := judge(t, o, newGauss(1.5, 1, 1, make([]float64, 1)), uint64(9000+i))
		for name, p := range map[string]float64{"prior": float64(f.Ranks.Prior), "likelihood": float64(f.Ranks.Likelihood), "parameters": float64(f.Ranks.Parameters)} {
			if !(p >= 0 && p <= 1) {
				t.Fatalf("p-value %g of %s", p, name)
			}
			if p < 0.2 {
				below[name]++
			}
		}
	}
	for name, count := range below {
		if share := float64(count) / float64(n); math.Abs(share-0.2) > 4*math.Sqrt(0.2*0.8/float64(n)) {
			t.Errorf("%s: the share of p-values below 0.2 is %g", name, share)
		}
	}
	t.Log(below)
}
