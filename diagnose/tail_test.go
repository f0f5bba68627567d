package diagnose_test

import (
	"math"
	"testing"

	"github.com/seed-12b88e03/ppl/diagnose"
)

// tailed are n values, k of which are near a distance and the others at equal steps of probability of a
// normal distribution.
func tailed(n, k int, distance float64) []float64 {
	x := make([]float64, n)
	for i := range x {
		if i < k {
			x[i] = distance * (1 + 0.01*float64(i))
			continue
		}
		x[i] = math.Sqrt2 * math.Erfinv(2*(float64(i-k)+0.5)/float64(n-k)-1)
	}
	return x
}

// A tail of some probability, seen by a number of draws that is Poisson and not zero, makes the standard deviation wrong by
// a factor of 1.43 without a word in at most 5 % of cases, whatever its probability and distance; and normal
// draws, and tails that many draws have, are not doubted.
func TestStandardDeviationsThatFewDrawsHave(t *testing.T) {
	const n = 1000
	sd := func(x []float64) float64 {
		m, s := 0.0, 0.0
		for _, v := range x {
			m += v / n
		}
		for _, v := range x {
			s += (v - m) * (v - m) / n
		}
		return math.Sqrt(s)
	}
	for _, distance := range []float64{5, 10, 30, 100} {
		var silent [40]bool
		var has [40]float64
		for k := range silent {
			x := tailed(n, k, distance)
			silent[k], has[k] = !diagnose.Farthest(x, nil, nil).Unknown(), sd(x)
		}
		if !silent[0] || !silent[30] {
			t.Errorf("distance %g: draws that tell their standard deviation are doubted", distance)
		}
		for p := 1e-4; p < 0.02; p *= 1.2 {
			mean := distance * p
			exact, missed, rate := math.Sqrt((1-p)*(1+mean*mean)+p*(distance-mean)*(distance-mean)), 0.0, n*p
			chance := math.Exp(-rate)
			for k := 1; k < len(silent); k++ {
				if chance *= rate / float64(k); silent[k] && math.Abs(math.Log(has[k]/exact)) > math.Log(1.43) {
					missed += chance
				}
			}
			if missed > 0.05 {
				t.Errorf("a tail of probability %.2g at %g makes wrong standard deviations that are not doubted with probability %.3f", p, distance, missed)
			}
		}
	}
	// Draws of one group are one.
	x, group := tailed(n, 20, 30), make([]int, n)
	for i := range group {
		if group[i] = i; i < 20 {
			group[i] = i % 2
		}
	}
	if diagnose.Farthest(x, nil, nil).Unknown() || !diagnose.Farthest(x, nil, group).Unknown() {
		t.Error("twenty draws of two groups count otherwise than two")
	}
}
