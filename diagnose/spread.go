// This file chooses draws to simulate data from.

package diagnose

import (
	"math"
	"slices"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/infer"
)

// A Place is a draw of a chain, both from 0.
type Place struct{ Chain, Draw int }

// Spread chooses n draws: evenly over the chains, or by their weights where they have some.
func Spread(p *infer.Posterior, n int) []Place {
	var all []Place
	var weight []float64
	most := math.Inf(-1)
	for _, c := range p.LogWeights {
		most = max(most, slices.Max(append(c, most)))
	}
	for chain := range p.Draws.Chains() {
		for i := range p.Draws.Len(chain) {
			all = append(all, Place{chain, i})
			w := 1.0
			if p.LogWeights != nil {
				w = libm.Exp(p.LogWeights[chain][i] - most)
			}
			weight = append(weight, w)
		}
	}
	total := 0.0
	for _, w := range weight {
		total += w
	}
	out := make([]Place, n)
	sum, at := 0.0, 0
	for i := range out {
		if n > len(all) && p.LogWeights == nil {
			out[i] = all[i%len(all)]
			continue
		}
		target := (float64(i) + 0.5) / float64(n) * total
		for at < len(all)-1 && sum+weight[at] <= target {
			sum += weight[at]
			at++
		}
		out[i] = all[at]
	}
	return out
}
