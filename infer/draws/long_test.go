package draws

// These tests compare figures of columns that are read piece by piece with those of columns in memory.

import (
	"math"
	"slices"
	"testing"
)

// tableOf is a table of one column, with log weights where there are some.
func tableOf(x, logWeights [][]float64) *Draws {
	var stats []string
	if logWeights != nil {
		stats = []string{LogWeightColumn}
	}
	d := New(len(x), stats, []string{"x"})
	for c, chain := range x {
		for i, v := range chain {
			r := Row{Chain: c, Values: []float64{v}}
			if logWeights != nil {
				r.Stats = []float64{logWeights[c][i]}
			}
			d.Append(r)
		}
	}
	return d
}

var columnKinds = map[string]func(float64) float64{
	"continuous": func(v float64) float64 { return v },
	"far away":   func(v float64) float64 { return 1e9 + v },
	"counts":     func(v float64) float64 { return math.Round(3 * v) },
	"two values": func(v float64) float64 { return math.Copysign(1, v) },
	"mostly one": func(v float64) float64 { return math.Max(v, 0) },
	"constant":   func(float64) float64 { return 2.5 },
	"infinite":   func(v float64) float64 { return math.Exp(1000 * v) },
	"mostly so":  func(v float64) float64 { return math.Exp(1000 * (v + 2)) },
	"no numbers": func(v float64) float64 { return math.Log(v) },
}

func agrees(got, want, relative float64) bool {
	return math.IsNaN(got) && math.IsNaN(want) || got == want || math.Abs(got-want) <= relative*math.Abs(want)
}

// TestLongColumns: mean, standard deviation, quantiles and median absolute deviation are the numbers of the draws in
// memory; effective sizes and R-hat are those of approximate ranks, within the error that the buckets leave.
func TestLongColumns(t *testing.T) {
	for name, f := range columnKinds {
		for _, n := range []int{99, 5000} {
			x := apply(ar1(stream(5), 3, n, 0.5), f)
			d := tableOf(x, nil)
			probabilities := []float64{0, 0.01, 0.3, 0.77, 1}
			want := d.Describe("x", probabilities...)
			l := newLong(d, d.Index("x"))
			l.bounds = n / 4
			got := l.describe(probabilities)
			if !agrees(got.Mean, want.Mean, 0) || !agrees(got.SD, want.SD, 0) || !agrees(got.MAD, want.MAD, 0) ||
				!slices.EqualFunc(append(got.Quantiles, got.Q5, got.Q50, got.Q95), append(want.Quantiles, want.Q5, want.Q50, want.Q95),
					func(a, b float64) bool { return agrees(a, b, 0) }) {
				t.Errorf("%s of %d draws: %+v, want %+v", name, n, got, want)
			}
			// A rank is wrong by at most 6/n of all, which moves an effective size by a few of these.
			if bound := 60 / float64(n); n > 1000 && (!agrees(got.ESSBulk, want.ESSBulk, bound) || !agrees(got.ESSTail, want.ESSTail, bound) || !agrees(got.RHat, want.RHat, bound/10)) {
				t.Errorf("%s of %d draws: %+v, want %+v", name, n, got, want)
			}
		}
	}
}

// TestLongWeightedColumns: all figures are those of SummarizeWeighted but for the rounding of sums.
func TestLongWeightedColumns(t *testing.T) {
	weights := map[string]func(i int, u float64) float64{
		"equal":      func(int, float64) float64 { return -3 },
		"spread":     func(_ int, u float64) float64 { return 2 * u },
		"some none":  func(i int, u float64) float64 { return map[bool]float64{true: math.Inf(-1), false: u}[i%3 == 0] },
		"one of all": func(i int, _ float64) float64 { return map[bool]float64{true: 0, false: math.Inf(-1)}[i == 40] },
		"none":       func(int, float64) float64 { return math.Inf(-1) },
		"one rules":  func(i int, u float64) float64 { return map[bool]float64{true: 30, false: u}[i == 17] },
	}
	for name, f := range columnKinds {
		for weight, of := range weights {
			x := apply(ar1(stream(5), 2, 3000, 0), f)
			w := ar1(stream(6), 2, 3000, 0)
			for c := range w {
				for i := range w[c] {
					w[c][i] = of(i+3000*c, w[c][i])
				}
			}
			d := tableOf(x, w)
			want := SummarizeWeighted("x", slices.Concat(x...), d.weights())
			l := newLongWeighted(d, d.Index("x"), d.weightScale())
			l.bounds = 200
			got := l.summary()
			for _, p := range [][2]float64{
				{got.Mean, want.Mean}, {got.SD, want.SD}, {got.MCSE, want.MCSE}, {got.ESSBulk, want.ESSBulk}, {got.ESSTail, want.ESSTail},
				{got.Q5, want.Q5}, {got.Q50, want.Q50}, {got.Q95, want.Q95}, {got.RHat, want.RHat},
			} {
				if !agrees(p[0], p[1], 1e-9) {
					t.Errorf("%s, weights %s: %+v, want %+v", name, weight, got, want)
					break
				}
			}
		}
	}
}
