// This file has the bounds that a known log p(y) allows.

package bread

import (
	"math"

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
	return &OneSided{draws.Number(*known), boundOf(below), boundOf(above)}
}

// boundOf is the mean with its error.
func boundOf(x []float64) Bound {
	err := draws.SD([][]float64{x}) / math.Sqrt(float64(len(x)))
	return Bound{draws.Number(mean(x)), draws.Number(err), bootstrap(x)}
}
