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
	if p.LogWeights == nil {
		return evenly(p, n)
	}
	var all []Place
	var weight []float64
	most := math.Inf(-1)
	for _, c := range p.LogWeights {
		most = max(most, slices.Max(append(c, most)))
	}
	for chain := range p.Draws.Chains() {
		for i := range p.Draws.Len(chain) {
			all = append(all, Place{chain, i})
			weight = append(weight, libm.Exp(p.LogWeights[chain][i]-most))
		}
	}
	total := 0.0
	for _, w := range weight {
		total += w
	}
	out := make([]Place, n)
	sum, at := 0.0, 0
	for i := range out {
		target := (float64(i) + 0.5) / float64(n) * total
		for at < len(all)-1 && sum+weight[at] <= target {
			sum += weight[at]
			at++
		}
		out[i] = all[at]
	}
	return out
}

// evenly chooses n draws without weights: in the middle of n parts of all, or all in turn where n are more.
func evenly(p *infer.Posterior, n int) []Place {
	total := p.Draws.Total()
	out := make([]Place, n)
	for i := range out {
		k := i % total
		if n <= total {
			k = min(total-1, int((float64(i)+0.5)/float64(n)*float64(total)))
		}
		for k >= p.Draws.Len(out[i].Chain) {
			k -= p.Draws.Len(out[i].Chain)
			out[i].Chain++
		}
		out[i].Draw = k
	}
	return out
}
