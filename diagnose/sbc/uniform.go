// This file tests ranks for uniformity.

package sbc

import (
	"math"
	"slices"
	"strings"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/infer/rng"
	"github.com/seed-12b88e03/ppl/stdlib/special"
	"github.com/seed-12b88e03/ppl/stdlib/variate"
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
	return special.IncGamma(float64(bins-1)/2, x/2).Q
}

// Uniform tests whether independent numbers from 0 to 1 are uniform, as ranks are tested. It returns the p-value, what they look like, and
// their histogram in one line.
func Uniform(x []float64) (p float64, look, picture string) {
	const l, mostTested = 99, 2000 // beyond so many the bins alone tell
	ranks := make([]int, len(x))
	for i, v := range x {
		ranks[i] = min(int(v*(l+1)), l)
	}
	bins := min(max(len(x)/5, 4), 20)
	p = chiSquare(ranks, l, bins)
	if len(x) <= mostTested {
		p = min(1, 2*min(p, newStepsTest(len(x), l).p(ranks)))
	}
	count, _ := histogram(ranks, l, bins)
	one := Parameter{}
	one.Mean, one.Spread = moments(ranks, l)
	return p, strings.TrimPrefix(shape(one), "draws "), bars(count)
}

// A stepsTest compares the empirical distribution function of n ranks 0..l with the
// uniform one. Its statistic is the least, over the points z, of twice the smaller
// binomial tail probability of the count of ranks up to z. It belongs to one goroutine.
type stepsTest struct {
	n, l int
	tail [][]float64 // by point and count: log of twice the smaller tail, at most 0
	law  []float64   // the statistic's under uniform ranks, by simulation, increasing
}

// The law is made from few simulations, and from many once a p-value is small.
const (
	fewSimulations  = 1000
	manySimulations = 20000
	smallP          = 0.2
)

func newStepsTest(n, l int) *stepsTest {
	t := &stepsTest{n: n, l: l, tail: make([][]float64, l)}
	for z := range t.tail {
		t.tail[z] = logTails(n, float64(z+1)/float64(l+1))
	}
	t.simulate(fewSimulations)
	return t
}

// simulate makes the law from that many sets of uniform ranks.
func (t *stepsTest) simulate(sets int) {
	r := rng.New(0, "sbc/uniform", 0, 0)
	ranks := make([]int, t.n)
	t.law = make([]float64, sets)
	for i := range t.law {
		for j := range ranks {
			ranks[j] = variate.IntN(r, t.l+1)
		}
		t.law[i] = t.statistic(ranks)
	}
	slices.Sort(t.law)
}

// logTails are log(min(1, 2 min(P(X <= k), P(X >= k)))) for X ~ binomial(n, p), k = 0..n.
func logTails(n int, p float64) []float64 {
	mass := make([]float64, n+1)
	for k := range mass {
		mass[k] = special.BinomialMass(k, n, p)
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
		out[k] = libm.Log(min(1, 2*min(low[k], high[k])))
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
	p := t.share(s)
	if p < smallP && len(t.law) < manySimulations {
		t.simulate(manySimulations)
		p = t.share(s)
	}
	if len(t.law) == manySimulations && p*(manySimulations+1) < 1.5 {
		p = min(p, float64(t.l)*libm.Exp(s))
	}
	return p
}

// quantile is the value below which that part of the law is.
func (t *stepsTest) quantile(p float64) float64 {
	if len(t.law) < manySimulations {
		t.simulate(manySimulations)
	}
	return t.law[int(p*float64(len(t.law)))]
}

// share is the part of the law at or below a statistic, the statistic's own set counted.
func (t *stepsTest) share(s float64) float64 {
	below, _ := slices.BinarySearch(t.law, s+1e-9) // the margin keeps rounding from telling equal ones apart
	return float64(below+1) / float64(len(t.law)+1)
}
