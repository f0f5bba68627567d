package lang_test

// This file tests the search for small parts of the space in which a condition of the program holds.

import (
	"math"
	"testing"

	"github.com/seed-12b88e03/ppl/diagnose"
)

// TestRegionsBehindConditions: more than half of the mass is where a condition holds, which a normal prior hardly ever meets. The prior's
// probability of each is that of its density in the middle times the volume, within a hundredth: with h added there, the share p = i (e^h - 1) /
// (1 + i (e^h - 1)) of the mass is at the middle c and the rest has mean 0, so that the mean is p c. An answer that is the prior is wrong by p c.
func TestRegionsBehindConditions(t *testing.T) {
	for _, c := range []struct {
		text        string
		middle, sd  float64 // of the region's x[1], and of the prior
		inside, add float64
	}{
		{"parameters { vector[2] x; } model { x ~ normal(0, 1.164); if (squared_distance(x, [-1.1966, 0.5727]') / 0.00178329 < 1) target += 8.38139; }",
			-1.1966, 1.164, math.Pi * 0.00178329 * math.Exp(-(1.1966*1.1966+0.5727*0.5727)/(2*1.164*1.164)) / (2 * math.Pi * 1.164 * 1.164), 8.38139},
		{"parameters { vector[5] x; } model { x ~ normal(0, 1); int k = 0; for (i in 1:5) if (x[i] > 0.9 && x[i] < 0.92) k += 1; if (k == 5) target += 27; }",
			0.91, 1, math.Pow(0.02*math.Exp(-0.91*0.91/2)/math.Sqrt(2*math.Pi), 5), 27},
		{"functions { real bonus(vector x, real at) { if (distance(x, rep_vector(at, 4)) < 0.1) return 14; return 0; } } parameters { vector[4] x; } model { x ~ normal(0, 1); target += bonus(x, 0.8) + bonus(x, 7); }",
			0.8, 1, math.Pi * math.Pi / 2 * 1e-4 * math.Exp(-2*0.8*0.8) / (4 * math.Pi * math.Pi), 14},
	} {
		odds := c.inside * math.Expm1(c.add)
		mean := c.middle * odds / (1 + odds)
		fit := fitOf(t, c.text, nil, "laplace()", 1)
		for _, s := range fit.Summaries {
			if s.Name == "x.1" && (math.Abs(mean) < 0.45*c.sd || math.Abs(s.Mean-mean) > 0.35*c.sd && diagnose.Worst(fit.Findings) == diagnose.Good) {
				t.Errorf("%s: x[1] has mean %.3g, exactly %.3g: %v", c.text, s.Mean, mean, fit.Findings)
			}
		}
	}
}
