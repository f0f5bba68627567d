// This file asks whether two samples differ in their shares on either side of a value, which they may be asked
// whatever their tails: means and standard deviations of heavy tails depend on a few points, and may not exist.

package population

import (
	"math"
	"math/bits"
	"slices"

	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/stdlib/special"
)

// toldFrom is how many effective draws of the fit can tell shares at all: where chains have fewer, that is what
// they are blamed for, and not tails.
const toldFrom = 50

// surelyApart is the chance, over all values that are tried, below which shares differ by more than chance.
const surelyApart = 0.001

// apart reports whether the fit's distribution surely is not the population's. Its shares above values, below values,
// and farther than distances from the median are compared: at the population's ends, and at 1, 2, 4, ... points
// from there. That lineages are independent is what counts; where they are not mixed is for them to show, but for
// those of a wide start, all of which may be on their way in. Least is the effective number of ancestors. Of a fit of few draws in effect nothing is excused.
func (c *column) apart(ancestor []int, least float64, wide bool) bool {
	median := draws.Quantile(draws.Sorted([][]float64{c.x}), 0.5)
	scales := [...]func(float64) float64{
		func(x float64) float64 { return x },
		func(x float64) float64 { return -x },
		func(x float64) float64 { return math.Abs(x - median) },
	}
	tries := float64(len(scales) * (bits.Len(uint(len(c.x)/2)) + 1))
	n := c.fit.effective()
	if n < toldFrom {
		return true
	}
	for _, of := range scales {
		sorted := make([]float64, len(c.x))
		for i, v := range c.x {
			sorted[i] = of(v)
		}
		slices.Sort(sorted)
		for count := 0; count <= len(sorted)/2; count = max(1, 2*count) {
			at := sorted[len(sorted)-1-count]
			above := func(x float64) float64 {
				if of(x) > at {
					return 1
				}
				return 0
			}
			share, points := shareOf(c.x, ancestor, least, above)
			if wide {
				points = least
			}
			other := c.fit.shareOf(above)
			if sameShare(share, points, other, n)*tries < surelyApart && sameShare(share, points, other, c.fit.visits(above, n))*tries < surelyApart {
				return true
			}
		}
	}
	return false
}

// doubted is how many points in clusters as large as lineages are added to those seen in a share: what a few points show of
// how they depend on each other is not much.
const doubted = 20

// shareOf is the share of points, and how many independent ones it is known from: their number over the size of
// clusters, which the standard error tells.
func shareOf(x []float64, ancestor []int, ancestors float64, in func(float64) float64) (share, n float64) {
	points := float64(len(x))
	for _, v := range x {
		share += in(v) / points
	}
	few := float64(points * min(share, 1-share))
	size := doubted * points / ancestors
	if few > 0 {
		err := spreadOf(x, ancestor, func(v float64) float64 { return in(v) - share })
		size += float64(few*points*err*err) / float64(share*(1-share))
	}
	return share, max(ancestors, points*(few+doubted)/max(size, few+doubted))
}

// sameShare is the probability that counts of one share in two samples are as far apart as these, one-sided. Given
// their sum, counts of a rare event are binomial; those of a frequent one are made as much larger as their variance
// is smaller.
func sameShare(p, n, q, m float64) float64 {
	both := (float64(p*n) + float64(q*m)) / (n + m)
	a, b := p*n/(1-both), q*m/(1-both)
	first := n / (n + m)
	switch {
	case !(both > 0 && both < 1):
		return 1
	case p > q:
		return special.IncBeta(a, b+1, first, 1-first).P
	case p < q:
		return special.IncBeta(b, a+1, 1-first, first).P
	}
	return 1
}

// shareOf is the weight of the values.
func (f *fitted) shareOf(in func(float64) float64) (share float64) {
	for i, v := range f.values {
		share += float64(f.weights[i] * in(v))
	}
	return share
}

// effective is how many independent draws the values stand for.
func (f *fitted) effective() float64 {
	n := f.n
	if f.chains != nil {
		n = math.Min(draws.ESSBulk(f.chains), draws.ESSTail(f.chains))
	}
	if !(n >= 1) {
		n = 1
	}
	return min(n, float64(len(f.values)))
}

// visits is the effective number of draws by which a share is known, of n: chains may go to a tail seldom, and stay.
func (f *fitted) visits(in func(float64) float64, n float64) float64 {
	if f.chains == nil {
		return n
	}
	there := make([][]float64, len(f.chains))
	for k, x := range f.chains {
		for _, v := range x {
			there[k] = append(there[k], in(v))
		}
	}
	if own := draws.ESSMean(there); own < n {
		return max(own, 1)
	}
	return n
}
