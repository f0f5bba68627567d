package sensitivity

// This file measures the distance of two weighted distributions on the same draws.

import (
	"cmp"
	"math"
	"slices"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
)

// A marginal is the draws of one variable in order.
type marginal struct {
	order []int     // places of the draws
	gaps  []float64 // between neighbours
}

func newMarginal(x []float64) *marginal {
	m := &marginal{order: make([]int, len(x)), gaps: make([]float64, len(x)-1)}
	for i := range m.order {
		m.order[i] = i
	}
	slices.SortStableFunc(m.order, func(a, b int) int { return cmp.Compare(x[a], x[b]) })
	for i := range m.gaps {
		m.gaps[i] = x[m.order[i+1]] - x[m.order[i]]
	}
	return m
}

// distance is the cumulative Jensen-Shannon distance, from 0 to 1, between the draws under weights p and
// under weights q, each of sum 1.
func (m *marginal) distance(p, q []float64) float64 {
	var up, down divergence
	var cp, cq float64 // cumulative weights
	for i, gap := range m.gaps {
		cp, cq = cp+p[m.order[i]], cq+q[m.order[i]]
		if gap > 0 {
			up.add(gap, cp, cq)
			down.add(gap, max(0, 1-cp), max(0, 1-cq))
		}
	}
	return max(up.distance(), down.distance())
}

// A divergence sums the parts of the symmetric cumulative Jensen-Shannon divergence and of its bound.
type divergence struct{ sum, bound float64 }

// add adds an interval on which the distribution functions are p and q. The terms of p - q cancel
// between the two directions.
func (d *divergence) add(gap, p, q float64) {
	middle := 0.5 * (p + q)
	if middle == 0 {
		return
	}
	d.sum += float64(gap * (relative(p, middle) + relative(q, middle)))
	d.bound += float64(gap * (p + q))
}

// relative is p log2(p/m). Next to 1 the ratio's logarithm is taken of the difference, so that distances of
// nearly equal weights keep their digits.
func relative(p, m float64) float64 {
	if p == 0 {
		return 0
	}
	return p * libm.Log1p((p-m)/m) / math.Ln2
}

func (d *divergence) distance() float64 {
	if !(d.sum > 0) {
		return 0
	}
	return math.Sqrt(d.sum / d.bound)
}
