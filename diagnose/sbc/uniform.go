// This file tests ranks for uniformity.

package sbc

import (
	"math"
	"slices"
	"sync"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/seed-12b88e03/ppl/infer/rng"
)

// histogram counts ranks 0..l in bins that cover them as evenly as they can; width is
// how many ranks each covers.
func histogram(ranks []int, l, bins int) (count []int, width []int) {
	count, width = make([]int, bins), make([]int, bins)
	for r := range l + 1 {
		width[r*bins/(l+1)]++
	}
	for _, r := range ranks {
		if r >= 0 {
			count[r*bins/(l+1)]++
		}
	}
	return count, width
}

// chiSquare is the p-value of Pearson's statistic over the bins.
func chiSquare(ranks []int, l, bins int) float64 {
	count, width := histogram(ranks, l, bins)
	n := 0
	for _, c := range count {
		n += c
	}
	if n == 0 {
		return math.NaN()
	}
	x := 0.0
	for b, c := range count {
		want := float64(n) * float64(width[b]) / float64(l+1)
		x += (float64(c) - want) * (float64(c) - want) / want
	}
	return distuv.ChiSquared{K: float64(bins - 1)}.Survival(x)
}

// A steps test compares the empirical distribution function of n ranks 0..l with the
// uniform one. Its statistic is the least, over the points z, of twice the smaller
// binomial tail probability of the count of ranks up to z.
type stepsTest struct {
	n, l int
	tail [][]float64 // by point and count: log of twice the smaller tail, at most 0
	law  []float64   // the statistic's under uniform ranks, increasing
}

// simulations is how many sets of uniform ranks make the law.
const simulations = 20000

func newStepsTest(n, l int) *stepsTest {
	t := &stepsTest{n: n, l: l, tail: make([][]float64, l)}
	for z := range t.tail {
		t.tail[z] = logTails(n, float64(z+1)/float64(l+1))
	}
	t.law = make([]float64, simulations)
	var wg sync.WaitGroup
	const part = simulations / 20
	for k := range simulations / part {
		wg.Go(func() {
			r := rng.New(0, "sbc/uniform", uint64(k), 0)
			ranks := make([]int, n)
			for i := range part {
				for j := range ranks {
					ranks[j] = r.IntN(l + 1)
				}
				t.law[k*part+i] = t.statistic(ranks)
			}
		})
	}
	wg.Wait()
	slices.Sort(t.law)
	return t
}

// logTails are log(min(1, 2 min(P(X <= k), P(X >= k)))) for X ~ binomial(n, p), k = 0..n.
func logTails(n int, p float64) []float64 {
	b := distuv.Binomial{N: float64(n), P: p}
	mass := make([]float64, n+1)
	for k := range mass {
		mass[k] = b.Prob(float64(k))
	}
	low, high := make([]float64, n+1), make([]float64, n+1)
	sum := 0.0
	for k := range mass {
		sum += mass[k]
		low[k] = sum
	}
	sum = 0
	for k := n; k >= 0; k-- {
		sum += mass[k]
		high[k] = sum
	}
	out := make([]float64, n+1)
	for k := range out {
		out[k] = math.Log(min(1, 2*min(low[k], high[k])))
	}
	return out
}

// statistic is the log of the test's statistic; all ranks are from 0 to l.
func (t *stepsTest) statistic(ranks []int) float64 {
	at := make([]int, t.l+1)
	for _, r := range ranks {
		at[r]++
	}
	least, upTo := 0.0, 0
	for z := range t.l {
		upTo += at[z]
		least = min(least, t.tail[z][upTo])
	}
	return least
}

// p is the p-value: by simulation where that can tell, beyond it by Bonferroni's bound
// over the points.
func (t *stepsTest) p(ranks []int) float64 {
	s := t.statistic(ranks)
	// The small margin keeps rounding from telling equal statistics apart.
	below, _ := slices.BinarySearch(t.law, s+1e-9)
	p := float64(below+1) / (simulations + 1)
	if below == 0 {
		p = min(p, float64(t.l)*math.Exp(s))
	}
	return p
}

// band is the bound on the statistic that uniform ranks stay above with that
// probability.
func (t *stepsTest) band(level float64) float64 {
	return t.law[int((1-level)*simulations)]
}
