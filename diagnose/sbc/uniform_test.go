package sbc

import (
	"math"
	"slices"
	"testing"

	"github.com/seed-12b88e03/ppl/infer/rng"
)

// The binomial tails of 3 draws at 1/2 are 1/8, 1/2, 1/2, 1/8.
func TestLogTails(t *testing.T) {
	for k, want := range []float64{0.25, 1, 1, 0.25} {
		if got := math.Exp(logTails(3, 0.5)[k]); math.Abs(got-want) > 1e-12 {
			t.Errorf("count %d: %g, exactly %g", k, got, want)
		}
	}
}

// By hand: 20 ranks 0..3 in 2 bins, 15 and 5: chi-square 5 with one degree of freedom,
// p = 0.025347 (Abramowitz and Stegun, table 26.7: Q(5 | 1)).
func TestChiSquare(t *testing.T) {
	ranks := slices.Repeat([]int{0, 1, 1, 3}, 5)
	if p := chiSquare(ranks, 3, 2); math.Abs(p-0.025347) > 1e-6 {
		t.Errorf("p = %g", p)
	}
	if count, width := histogram([]int{0, 4, 5, 9, 9}, 9, 4); !slices.Equal(count, []int{1, 1, 1, 2}) || !slices.Equal(width, []int{3, 2, 3, 2}) {
		t.Errorf("counts %v, widths %v", count, width)
	}
}

// p-values of uniform ranks are below x with probability x, but for ties: 2,000 sets,
// within 4 sd at three points, a false alarm in 5,000 seeds.
func TestStepsTestIsCalibrated(t *testing.T) {
	s := newStepsTest(100, 19)
	r := rng.New(7, "test", 0, 0)
	const sets = 2000
	var p []float64
	for range sets {
		ranks := make([]int, 100)
		for i := range ranks {
			ranks[i] = r.IntN(20)
		}
		p = append(p, s.p(ranks))
	}
	for _, x := range []float64{0.01, 0.1, 0.5} {
		below := 0.0
		for _, v := range p {
			if v < x {
				below++
			}
		}
		if d := math.Abs(below/sets - x); d > 4*math.Sqrt(x*(1-x)/sets)+0.005 {
			t.Errorf("%.4f of p-values below %g", below/sets, x)
		}
	}
	if p := s.p(make([]int, 100)); p > 1e-100 {
		t.Errorf("all ranks 0: p = %g", p)
	}
}
