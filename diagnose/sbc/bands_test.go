package sbc

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/infer/rng"
)

// The band that Rendsburg et al. (2022) print: 323 replications, 31 draws, 16 bins, 10 to
// 32 ranks in each; of their ranks of mu two bins are outside, of sigma2 three.
func TestHistogramBand(t *testing.T) {
	if low, high := binomialBand(323, 2.0/32); low != 10 || high != 32 {
		t.Errorf("%d to %d", low, high)
	}
	b := newBands(newStepsTest(323, 31), 16)
	for want, count := range map[int][]int{
		2: {39, 16, 11, 20, 13, 12, 23, 19, 27, 28, 26, 29, 29, 14, 11, 6},
		3: {23, 17, 23, 19, 19, 14, 9, 19, 21, 26, 21, 34, 25, 25, 19, 9},
	} {
		if n := b.outside(count); n != want {
			t.Errorf("%d bins outside, there are %d", n, want)
		}
	}
}

// Uniform ranks stay inside the band of the distribution function in 99 of 100 sets: 2,000
// sets, more than 40 outside would be 4.5 sd above 20.
func TestFunctionBand(t *testing.T) {
	const n, l, sets = 150, 19, 2000
	b := newBands(newStepsTest(n, l), 10)
	r := rng.New(11, "test", 0, 0)
	out := 0
	for range sets {
		count := make([]int, l+1)
		for range n {
			count[r.IntN(l+1)]++
		}
		upTo, inside := 0, true
		for z := range l {
			upTo += count[z]
			d := float64(upTo)/n - float64(z+1)/(l+1)
			inside = inside && d >= float64(b.ECDF.Low[z])-1e-9 && d <= float64(b.ECDF.High[z])+1e-9
		}
		if !inside {
			out++
		}
	}
	if out > 40 || out == 0 {
		t.Errorf("%d of %d sets are outside", out, sets)
	}
}

// Each rank once: coverage is what it should be.
func TestCoverage(t *testing.T) {
	ranks := make([]int, 100)
	for i := range ranks {
		ranks[i] = i
	}
	var nominal []float64
	for _, c := range coverage(ranks, 99) {
		nominal = append(nominal, float64(c.Nominal))
		if math.Abs(float64(c.Covered-c.Nominal)) > 1e-12 || c.Low >= c.Nominal || c.High <= c.Nominal {
			t.Errorf("%+v", c)
		}
	}
	if !slices.Equal(nominal, []float64{0.5, 0.8, 0.9, 0.94}) {
		t.Errorf("intervals of %v", nominal)
	}
}

// TestInfiniteDivergences: a data set whose divergence is infinite takes no number from the others: of 1, 2, 6 and +Inf the median
// is 4, and the mean of those that have one 3 with standard error sqrt(7/3).
func TestInfiniteDivergences(t *testing.T) {
	var runs []*replication
	for _, v := range []float64{6, math.Inf(1), 1, math.NaN(), 2} {
		runs = append(runs, &replication{divergence: v})
	}
	d := expected(runs)
	if d.Median != 4 || d.Estimate != 3 || math.Abs(float64(d.Error)-math.Sqrt(7./3)) > 1e-12 || d.Infinite != 1 || d.Datasets != 4 {
		t.Errorf("%+v", d)
	}
	if text := d.text(); !strings.Contains(text, "4 nats in the median") || !strings.Contains(text, "infinite for 1 of 4") {
		t.Error(text)
	}
}
