// This file ranks the exact draw among the states of forward chains.
//
// Of K forward chains and one reverse chain of the same length, given all of them and not
// which is which, chain j is the reverse one with probability w_j / sum w, where w are the
// weights of forward chains: the argument behind conditional importance sampling (Andrieu,
// Doucet and Holenstein 2010). So whatever function of a chain's state is ranked by, the
// weighted rank of the reverse chain is uniform, and no approximation is in it, however short
// the chains are. The other tests see weights only, and the weights of long chains forget where
// a reverse chain began: a simulator that draws data from another density than the model's
// shows in where its parameters lie.

package bread

import (
	"math"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/anneal"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/infer/rng"
)

// Ranks are p-values of the ranks of the exact draws among the states of the longest forward
// chains, over the data sets.
type Ranks struct {
	Prior      draws.Number `json:"prior"`      // by the log density of the path's start
	Likelihood draws.Number `json:"likelihood"` // by the log likelihood, or the log weight on a path from an approximation
	Parameters draws.Number `json:"parameters"` // by the unconstrained parameters, one at a time: the smallest, adjusted for their number (Bonferroni)
}

func (r Ranks) list() []float64 {
	return []float64{float64(r.Prior), float64(r.Likelihood), float64(r.Parameters)}
}

// keep is the hook that keeps chain i's figures before its last move, which is where a reverse
// chain starts, and then calls another hook.
func (c *chains) keep(n, i int, next anneal.Hook) anneal.Hook {
	return func(step int, beta float64, m *anneal.Mover) {
		if step == n-1 {
			c.figures[i] = figuresAt(m, m.State.Q)
		}
		next(step, beta, m)
	}
}

// figuresAt are the figures of a state that chains are ranked by: the parts of the log density,
// -Inf where the model has none, and the coordinates.
func figuresAt(m *anneal.Mover, q []float64) []float64 {
	prior, likelihood, err := m.Path.Parts(q)
	if err != nil {
		prior, likelihood = math.Inf(-1), math.Inf(-1)
	}
	return append([]float64{prior, likelihood}, q...)
}

// A rank is the weight below a value and the weight above it; they sum to 1, and each has its
// own digits. The value's own weight and that of equal ones is divided at random.
type rank struct{ below, above float64 }

// ranks are the ranks of the first reverse chain's start among the forward chains of one
// length, by each of their figures; none where there are no forward chains.
func (c *chains) ranks(forward, reverse []float64) []rank {
	if len(forward) == 0 {
		return nil
	}
	w := make([]float64, len(forward)+1)
	infer.Weights(append([]float64{reverse[0]}, forward...), w)
	start := figuresAt(c.pool.Any(), c.starts[0])
	r := rng.New(c.options.Seed, "bread/ranks", 0, c.options.Replicate)
	out := make([]rank, len(start))
	for k := range out {
		equal := w[0]
		for i, f := range c.figures {
			switch v := f[k]; {
			case tied(v, start[k]):
				equal += w[i+1]
			case v < start[k]:
				out[k].below += w[i+1]
			default:
				out[k].above += w[i+1]
			}
		}
		u := float64(r.Float64()) // rounded, so that 1 - u is not fused with the product inside
		out[k].below += float64(u * equal)
		out[k].above += float64((1 - u) * equal)
	}
	return out
}

// ranksOf tests the ranks of all data sets.
func ranksOf(sets []*dataset) Ranks {
	p := func(k int) float64 {
		var list []rank
		for _, s := range sets {
			if k < len(s.ranks) {
				list = append(list, s.ranks[k])
			}
		}
		return fisher(list)
	}
	out := Ranks{Prior: draws.Number(p(0)), Likelihood: draws.Number(p(1)), Parameters: nan}
	dim := len(sets[0].ranks) - 2
	for k := range dim {
		one := draws.Number(math.Min(1, float64(dim)*p(k+2)))
		if k == 0 || one < out.Parameters {
			out.Parameters = one
		}
	}
	return out
}

// fisher is the two-sided p-value of Fisher's combination of uniform ranks: twice the smaller
// one of those of the sums of -2 log of the weights below and above. NaN of none.
func fisher(ranks []rank) float64 {
	if len(ranks) == 0 {
		return math.NaN()
	}
	low, high := 0.0, 0.0
	for _, r := range ranks {
		low -= libm.Log(r.below)
		high -= libm.Log(r.above)
	}
	return math.Min(1, 2*math.Min(gammaTail(len(ranks), low), gammaTail(len(ranks), high)))
}

// gammaTail is the probability that a sum of n standard exponentials is above x.
func gammaTail(n int, x float64) float64 {
	if x <= 0 {
		return 1
	}
	term, total := -x, libm.Exp(-x)
	for k := 1; k < n; k++ {
		term += libm.Log(x / float64(k))
		total += libm.Exp(term)
	}
	return math.Min(1, total)
}
