package bread

import (
	"math"
	"math/rand/v2"
	"testing"
)

func pairsOf(differences ...float64) []*dataset {
	var sets []*dataset
	for _, d := range differences {
		sets = append(sets, &dataset{forward: [][]float64{{-d}}, reverse: [][]float64{{0}}})
	}
	return sets
}

// Pairs whose larger value is the reverse one by far are what exact chains give: no
// contradiction, whatever rounding does to probabilities next to 1.
func TestSlopeOfFarPairs(t *testing.T) {
	for _, d := range [][]float64{{18, 35, 92, 1106}, {30, 31, 32}, {18, 565, 1334.6, 166745.5, 452, 184572, 1105.3, 34.4, 91.6, 1106.4}, {800, 900}} {
		if s := slope(pairsOf(d...), 0); s.P < 0.99 {
			t.Errorf("differences %v: p = %g", d, s.P)
		}
		if p := pairs(pairsOf(d...), 0); p < 0.99 {
			t.Errorf("differences %v: p = %g of the number of pairs", d, p)
		}
	}
	if s := slope(pairsOf(18, -35, 92), 0); s.P > 0.01 {
		t.Errorf("the forward value is above by 35, p = %g", s.P)
	}
}

// With differences of any size and signs from their law, p < 0.05 happens in at most 5 % of
// cases: more than 75 of 1000 are 3.6 standard deviations above.
func TestSlopeHoldsItsRate(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	alarms := 0
	for range 1000 {
		d := make([]float64, 10)
		for i := range d {
			d[i] = r.ExpFloat64() * []float64{0.5, 3, 1000}[r.IntN(3)]
			if r.Float64() >= logistic(d[i]) {
				d[i] = -d[i]
			}
		}
		if slope(pairsOf(d...), 0).P < 0.05 {
			alarms++
		}
	}
	if alarms > 75 {
		t.Errorf("%d of 1000 p-values below 0.05", alarms)
	}
}

// Differences by rounding are no evidence.
func TestTies(t *testing.T) {
	sets := pairsOf(1e-15, 3e-15, 1e-15, 2e-15, 1e-14, 5e-15, 1e-15, 1e-15)
	if s, p := slope(sets, 0), pairs(sets, 0); !math.IsNaN(float64(s.P)) || p != 1 {
		t.Errorf("p = %g of the slope, %g of the number", s.P, p)
	}
}
