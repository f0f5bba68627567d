// This file finds by a table's columns whether its draws are independent, weighted or a Markov chain's.

package draws

import (
	"math"
	"slices"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
)

// Names of sampler columns that tell what draws are.
const (
	AcceptColumn           = "accept_stat__" // of Markov chains: average acceptance probability
	LogWeightColumn        = "log_weight__"  // log of the importance weight, up to a constant
	LogTargetColumn        = "log_p__"       // log density of the model at a draw of an approximation
	LogApproximationColumn = "log_g__"       // normalised log density of the approximation there
	logPathColumn          = "lp_approx__"   // the same for Pathfinder, under the draw's own path
)

// Kind is how draws depend on each other.
type Kind int

// The kinds of draws.
const (
	Chains      Kind = iota // Markov chains
	Independent             // independent draws of an approximation
	Weighted                // independent draws with importance weights
	Particles               // a population: all weights 1, common ancestors side by side
	Mode                    // one point
)

// Kind is the kind of the draws.
func (d *Draws) Kind() Kind {
	switch {
	case d.Index(LogWeightColumn) >= 0:
		kind := Particles
		d.chunks(d.Index(LogWeightColumn), make([]float64, longChunk), func(_, _ int, w []float64) bool {
			if slices.ContainsFunc(w, func(v float64) bool { return v != 0 }) {
				kind = Weighted
			}
			return kind == Particles
		})
		return kind
	case d.Index(LogApproximationColumn) >= 0 || d.Index(logPathColumn) >= 0:
		return Independent
	case d.stats == 0 && d.Total() == 1:
		return Mode
	}
	return Chains
}

// LogWeights are the logarithms of the weights that take the draws to the posterior, up to a
// constant, chain after chain: those that draws have, and of draws of an approximation the
// ratios of the densities. They are not smoothed. nil where all draws weigh the same.
func (d *Draws) LogWeights() []float64 {
	switch d.Kind() {
	case Weighted:
		return slices.Concat(d.Column(LogWeightColumn)...)
	case Independent:
		p, g := d.Column(LogTargetColumn), d.Column(LogApproximationColumn)
		if p == nil || g == nil {
			return nil
		}
		w := slices.Concat(p...)
		for i, v := range slices.Concat(g...) {
			w[i] -= v
		}
		return w
	}
	return nil
}

// weights are the draws' weights, chain after chain, scaled to sum 1; nil where there
// are none. Where no weight is positive all are equal.
func (d *Draws) weights() []float64 {
	w := slices.Concat(d.Column(LogWeightColumn)...)
	if len(w) == 0 {
		return nil
	}
	s := d.weightScale()
	s.apply(w)
	return w
}

// A weightScale takes log weights to weights that sum to 1.
type weightScale struct{ top, sum float64 }

// weightScale is that of a table with log weights.
func (d *Draws) weightScale() weightScale {
	col, buffer := d.Index(LogWeightColumn), make([]float64, longChunk)
	s := weightScale{top: math.Inf(-1), sum: 1}
	d.chunks(col, buffer, func(_, _ int, w []float64) bool {
		for _, v := range w {
			s.top = math.Max(s.top, v)
		}
		return true
	})
	sum := 0.0
	d.chunks(col, buffer, func(_, _ int, w []float64) bool {
		s.apply(w)
		for _, v := range w {
			sum += v
		}
		return true
	})
	s.sum = sum
	return s
}

// apply replaces log weights by weights.
func (s weightScale) apply(w []float64) {
	for i, v := range w {
		if w[i] = libm.Exp(v - s.top); math.IsInf(s.top, -1) {
			w[i] = 1
		}
		w[i] /= s.sum
	}
}
