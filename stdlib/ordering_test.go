// This file tests the probability of an order.

package stdlib

import (
	"math"
	"testing"
)

func TestLogOrderProbability(t *testing.T) {
	lib := New()
	variate := func(name string, params ...float64) Variate { return Variate{lib.Distribution(name), params} }
	phi := func(x float64) float64 { return 0.5 * math.Erfc(-x/math.Sqrt2) }
	inf := math.Inf(-1)
	for _, c := range []struct {
		name string
		xs   []Variate
		lo   float64
		want float64
	}{
		{"alone", []Variate{variate("normal", 1, 2)}, inf, 1},
		{"alone above 0", []Variate{variate("normal", 1, 2)}, 0, phi(0.5)},
		{"alike", []Variate{variate("normal", 1, 2), variate("normal", 1, 2), variate("normal", 1, 2), variate("normal", 1, 2)}, inf, 1.0 / 24},
		{"two normals", []Variate{variate("normal", 1, 3), variate("normal", -2, 4)}, inf, phi(-3.0 / 5)},
		{"two far apart", []Variate{variate("normal", 0, 1), variate("normal", -8, 1)}, inf, phi(-8 / math.Sqrt2)},
		{"narrow and wide", []Variate{variate("normal", 0, 1e-4), variate("normal", 0.5, 1)}, inf, phi(0.5 / math.Sqrt(1+1e-8))},
		// Exponential clocks: the first rings first with probability a/(a+b+c), then b/(b+c).
		{"clocks", []Variate{variate("exponential", 2), variate("exponential", 1), variate("exponential", 5)}, inf, 2.0 / 8 * 1 / 6},
		{"uniform", []Variate{variate("uniform", 0, 2), variate("uniform", 1, 2)}, inf, 0.75},
		// X < Y for Cauchy X and Y + 2: the difference is Cauchy with scale 2.
		{"heavy tails", []Variate{variate("cauchy", 0, 1), variate("cauchy", 2, 1)}, inf, 0.5 + math.Atan(1)/math.Pi},
		{"positive halves", []Variate{variate("normal", 0, 1), variate("normal", 0, 1)}, 0, 0.125},
	} {
		if got := math.Exp(LogOrderProbability(c.xs, c.lo)); math.Abs(got-c.want) > 1e-10*math.Max(1e-3, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
	if p := LogOrderProbability([]Variate{variate("poisson", 2)}, inf); !math.IsNaN(p) {
		t.Errorf("a discrete distribution gives %v", p)
	}
}
