// This file holds what ranks are shown against: bands of the histogram and of the
// distribution function, and coverage.

package sbc

import (
	"math"

	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/stdlib/special"
)

// bandLevel is the probability that uniform ranks stay inside a band: in each bin of the
// histogram, and for each interval's coverage; over all points at once for the
// distribution function.
const bandLevel = 0.99

// Bands are where the ranks of an exact method are, for a quantity with a rank in each of
// N replications.
type Bands struct {
	N         int     `json:"n"`
	Level     float64 `json:"level"`
	Histogram struct {
		Low  []int `json:"low"` // by bin, inclusive
		High []int `json:"high"`
	} `json:"histogram"`
	ECDF struct {
		Low  []draws.Number `json:"low"` // difference from the uniform one, at ranks 0..L-1
		High []draws.Number `json:"high"`
	} `json:"ecdf"`
}

// Coverage is how often central intervals of the draws hold the true value.
type Coverage struct {
	Nominal draws.Number `json:"nominal"`
	Covered draws.Number `json:"covered"` // share of the replications with a rank
	Low     draws.Number `json:"low"`     // binomial band of an exact method
	High    draws.Number `json:"high"`
}

// binomialBand holds binomial counts with at least the probability bandLevel, half of the
// rest on each side at most (Talts et al. 2018).
func binomialBand(n int, p float64) (low, high int) {
	const side = (1 - bandLevel) / 2
	sum := 0.0
	for low = 0; low < n; low++ {
		if sum += special.BinomialMass(low, n, p); sum >= side {
			break
		}
	}
	high, sum = low, 0
	for k := range low + 1 {
		sum += special.BinomialMass(k, n, p)
	}
	for high < n && sum < 1-side {
		high++
		sum += special.BinomialMass(high, n, p)
	}
	return low, high
}

// newBands makes the bands for the test's number of ranks.
func newBands(t *stepsTest, bins int) *Bands {
	b := &Bands{N: t.n, Level: bandLevel}
	_, width := histogram(nil, t.l, bins)
	for _, w := range width {
		low, high := binomialBand(t.n, float64(w)/float64(t.l+1))
		b.Histogram.Low, b.Histogram.High = append(b.Histogram.Low, low), append(b.Histogram.High, high)
	}
	bound := t.quantile(1 - bandLevel)
	for z, tail := range t.tail {
		low, high := 0, t.n
		for low < t.n && tail[low] < bound {
			low++
		}
		for high > low && tail[high] < bound {
			high--
		}
		uniform := float64(z+1) / float64(t.l+1)
		b.ECDF.Low = append(b.ECDF.Low, draws.Number(float64(low)/float64(t.n)-uniform))
		b.ECDF.High = append(b.ECDF.High, draws.Number(float64(high)/float64(t.n)-uniform))
	}
	return b
}

// outside counts the bins beyond their band.
func (b *Bands) outside(count []int) (n int) {
	for i, c := range count {
		if c < b.Histogram.Low[i] || c > b.Histogram.High[i] {
			n++
		}
	}
	return n
}

// coverage counts for central intervals of about the usual probabilities, each as near as
// L draws can come, how often the true value is inside.
func coverage(ranks []int, l int) []Coverage {
	var out []Coverage
	for _, want := range []float64{0.5, 0.8, 0.9, 0.95} {
		cut := int(math.Round((1 - want) / 2 * float64(l+1))) // ranks left out on each side
		if cut == 0 || 2*cut >= l+1 {
			continue
		}
		inside := 0
		for _, r := range ranks {
			if r >= cut && r <= l-cut {
				inside++
			}
		}
		nominal := float64(l+1-2*cut) / float64(l+1)
		low, high := binomialBand(len(ranks), nominal)
		n := float64(len(ranks))
		out = append(out, Coverage{draws.Number(nominal), draws.Number(float64(inside) / n), draws.Number(float64(low) / n), draws.Number(float64(high) / n)})
	}
	return out
}
