// This file summarises draws with importance weights.

package draws

import (
	"math"
	"slices"
	"sort"
)

// SummarizeWeighted summarises a column of independent draws whose weights w sum to 1.
// The Monte Carlo error is that of the self-normalised estimate by the delta method,
// sum w^2 (x - mean)^2; the bulk effective size is 1 / sum w^2 (Kong 1992), that of the
// tails p (1 - p) over the variance of the weighted share below the quantile, the
// smaller one of the two tails. There is no R-hat.
func SummarizeWeighted(name string, x, w []float64) Summary {
	s := Summary{Name: name, RHat: math.NaN()}
	squares, spread, noise := 0.0, 0.0, 0.0
	for i, v := range x {
		if w[i] > 0 { // so that what has no weight need not be finite
			s.Mean += float64(w[i] * v)
		}
		squares += float64(w[i] * w[i])
	}
	for i, v := range x {
		if w[i] > 0 {
			d := v - s.Mean
			spread += float64(w[i] * d * d)
			noise += float64(w[i] * w[i] * d * d)
		}
	}
	s.ESSBulk = 1 / squares
	s.MCSE = math.Sqrt(noise)
	s.SD = math.Sqrt(spread / (1 - squares)) // n-1 for equal weights
	sorted := byValue(x, w)
	s.Q5, s.Q50, s.Q95 = sorted.quantile(0.05), sorted.quantile(0.5), sorted.quantile(0.95)
	s.ESSTail = math.Min(sorted.effective(0.05, s.Q5), sorted.effective(0.95, s.Q95))
	return s
}

// weightedColumn is a column in ascending order.
type weightedColumn struct{ x, w []float64 }

// byValue sorts the draws that have weight; it has none if one of them is NaN.
func byValue(x, w []float64) weightedColumn {
	var order []int
	for i := range x {
		if w[i] == 0 {
			continue
		}
		if math.IsNaN(x[i]) {
			return weightedColumn{}
		}
		order = append(order, i)
	}
	sort.SliceStable(order, func(a, b int) bool { return x[order[a]] < x[order[b]] })
	var c weightedColumn
	for _, i := range order {
		c.x, c.w = append(c.x, x[i]), append(c.w, w[i])
	}
	return c
}

// quantile interpolates between draws; with equal weights it is Quantile. Draw k of n,
// from 1, stands at (k-1) w_k + (n-1) (w_1 + ... + w_{k-1}) of n-1.
func (c weightedColumn) quantile(p float64) float64 {
	n := len(c.x)
	switch n {
	case 0:
		return math.NaN()
	case 1:
		return c.x[0]
	}
	at := make([]float64, n)
	below := 0.0
	for k, w := range c.w {
		at[k] = float64(float64(k)*w) + float64(float64(n-1)*below)
		below += w
	}
	h := float64(p * at[n-1])
	k, _ := slices.BinarySearch(at, h)
	if k == 0 || k < n && at[k] == h {
		return c.x[min(k, n-1)]
	}
	k = min(k, n-1)
	return c.x[k-1] + float64((h-at[k-1])/(at[k]-at[k-1])*(c.x[k]-c.x[k-1]))
}

// effective is the effective number of draws for the share p below a value.
func (c weightedColumn) effective(p, value float64) float64 {
	variance := 0.0
	for i, v := range c.x {
		d := -p
		if v <= value {
			d = 1 - p
		}
		variance += float64(c.w[i] * c.w[i] * d * d)
	}
	if variance == 0 {
		return math.NaN()
	}
	return p * (1 - p) / variance
}
