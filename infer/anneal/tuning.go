// This file is the frozen tuning of a kernel along a path.

package anneal

import (
	"sort"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/infer/draws"
)

// Knot is what a kernel learned at one beta.
type Knot struct {
	Beta       float64
	Adaptation draws.Adaptation
	Accept     float64 // average acceptance statistic of the moves there
}

// Tuning is a function from beta to a kernel's tuning, fixed once made. Knots
// have increasing betas.
type Tuning struct{ Knots []Knot }

// At writes the tuning at beta into out, whose slices it reuses: between
// knots the log of the step size, the inverse metric and widths of slices are linear
// in beta, outside they are those of the nearest knot. Without knots it reports false.
func (t Tuning) At(beta float64, out *draws.Adaptation) bool {
	n := len(t.Knots)
	if n == 0 {
		return false
	}
	i := sort.Search(n, func(i int) bool { return t.Knots[i].Beta >= beta })
	low, high := t.Knots[max(i-1, 0)], t.Knots[min(i, n-1)]
	share := 1.0
	if high.Beta > low.Beta {
		share = min((beta-low.Beta)/(high.Beta-low.Beta), 1)
	}
	a, b := low.Adaptation, high.Adaptation
	inv, widths := out.InvMetric, out.Widths
	*out = b
	if a.StepSize > 0 && b.StepSize > 0 {
		out.StepSize = libm.Pow(a.StepSize, 1-share) * libm.Pow(b.StepSize, share)
	}
	out.InvMetric = between(inv, a.InvMetric, b.InvMetric, share)
	out.Widths = between(widths, a.Widths, b.Widths, share)
	return true
}

// between overwrites out with the point that divides the way from a to b by share; with b where
// they are of several lengths.
func between(out, a, b []float64, share float64) []float64 {
	out = append(out[:0], b...)
	if len(a) == len(b) {
		for k, v := range a {
			out[k] = float64((1-share)*v) + float64(share*b[k])
		}
	}
	return out
}

// StepSizes are the step sizes at some betas.
func (t Tuning) StepSizes(betas []float64) []float64 {
	out := make([]float64, len(betas))
	var a draws.Adaptation
	for i, b := range betas {
		t.At(b, &a)
		out[i] = a.StepSize
	}
	return out
}
