// This file has the bounds that a known log p(y) allows.

package bread

import (
	"math"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
)

// OneSided are bounds on each direction's divergence by the longest chains, where
// log p(y) is known: log p(y) is on average KL(q||p) above the forward values at least,
// and KL(p||q) below the reverse ones. Their errors take chains as units: they are
// conditional on the data and, of the second, on the exact draws.
type OneSided struct {
	LogEvidence draws.Number `json:"log_evidence"` // as given
	Forward     Bound        `json:"kl_q_p"`
	Reverse     Bound        `json:"kl_p_q"`
	Above       draws.Number `json:"p_above"` // bound on the p-value of forward values that are above it
	Below       draws.Number `json:"p_below"` // of reverse values that are below it, if the starts are exact
}

func (d *Diagnosis) oneSided(s *dataset, rung int) *OneSided {
	known := d.options.LogEvidence
	if known == nil {
		return nil
	}
	below, above := make([]float64, len(s.forward[rung])), make([]float64, len(s.reverse[rung]))
	for i, f := range s.forward[rung] {
		below[i] = *known - f
	}
	for i, r := range s.reverse[rung] {
		above[i] = r - *known
	}
	return &OneSided{draws.Number(*known), boundOf(below), boundOf(above), exceeds(s.forward, func(v float64) float64 { return v - *known }), exceeds(s.reverse, func(v float64) float64 { return *known - v })}
}

// exceeds is one over the mean of the exponentials of values of all lengths, lengths
// counting alike: where that mean has expectation 1, a bound on its p-value.
func exceeds(rungs [][]float64, of func(float64) float64) draws.Number {
	var means []float64
	for _, list := range rungs {
		if len(list) == 0 {
			continue
		}
		x := make([]float64, len(list))
		for i, v := range list {
			x[i] = of(v)
		}
		means = append(means, infer.LogMean(x).Value)
	}
	return draws.Number(math.Min(1, libm.Exp(-infer.LogMean(means).Value)))
}

// boundOf is the mean with its error.
func boundOf(x []float64) Bound {
	err := draws.SD([][]float64{x}) / math.Sqrt(float64(len(x)))
	return Bound{draws.Number(mean(x)), draws.Number(err), bootstrap(x)}
}
