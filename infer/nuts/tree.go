// This file is the trajectory: trees, how they are built, joined and judged.

package nuts

import (
	"math"
	"slices"

	"github.com/seed-12b88e03/ppl/infer"
)

// tree is a stretch of trajectory of 2^depth points. It holds a reference to
// each of its three nodes, which may be the same.
type tree struct {
	inner, outer *node // its ends; building goes on from outer
	proposal     *node
	rho          []float64 // sum of the momenta of all points
	ownsRho      bool      // false for a single point, whose rho is its momentum
	logWeight    float64   // log of the summed exp(-energy), relative to the start
	low, high    float64   // least and greatest energy, relative to the start
}

func single(n *node, excess float64) tree {
	n.refs = 3
	return tree{inner: n, outer: n, proposal: n, rho: n.P, logWeight: -excess, low: excess, high: excess}
}

func (t *tree) flip() { t.inner, t.outer = t.outer, t.inner }

// build makes a subtree of the given depth that starts one step beyond from.
// It reports false if the subtree diverged or turned; the error is fatal.
func (k *Kernel) build(depth int, from *node, step float64) (tree, bool, error) {
	if depth == 0 {
		return k.leaf(from, step)
	}
	a, ok, err := k.build(depth-1, from, step)
	if !ok || err != nil {
		return tree{}, false, err
	}
	b, ok, err := k.build(depth-1, a.outer, step)
	if !ok || err != nil {
		return tree{}, false, err
	}
	total := logSumExp(a.logWeight, b.logWeight)
	t, ok := k.join(a, b, k.rng.Float64() < math.Exp(b.logWeight-total))
	t.logWeight = total
	return t, ok, nil
}

// leaf takes one leapfrog step.
func (k *Kernel) leaf(from *node, step float64) (tree, bool, error) {
	n := k.pool.node()
	if err := k.h.Leapfrog(&from.Point, &n.Point, step); err != nil {
		return tree{}, false, err
	}
	k.leapfrogs++
	excess := n.Energy - k.energy
	if math.IsNaN(excess) {
		excess = math.Inf(1)
	}
	k.sumAccept += math.Min(1, math.Exp(-excess))
	if k.diverged(excess) {
		k.divergence = &infer.Divergence{
			Start: slices.Clone(from.Q), Momentum: slices.Clone(from.P), Gradient: slices.Clone(from.Grad),
			End: slices.Clone(n.Q), EnergyError: excess, Cause: n.Reject,
		}
		return tree{}, false, nil
	}
	return single(n, excess), true, nil
}

// diverged judges one point: in annealing mode only a point of density zero is
// out of the question by itself.
func (k *Kernel) diverged(excess float64) bool {
	if k.annealing {
		return math.IsInf(excess, 1)
	}
	return excess > k.maxEnergyError
}

// join appends b to the outer end of a, takes the proposal of b if asked to,
// and reports whether the whole does not turn. The caller sets the weight.
// Both trees are used up.
func (k *Kernel) join(a, b tree, takeB bool) (tree, bool) {
	straight := true
	if a.ownsRho || b.ownsRho {
		straight = ahead(a.inner.V, b.inner.V, a.rho, b.inner.P) &&
			ahead(a.outer.V, b.outer.V, b.rho, a.outer.P)
	}
	t := tree{inner: a.inner, outer: b.outer, proposal: a.proposal, ownsRho: true}
	if takeB {
		t.proposal, b.proposal = b.proposal, a.proposal
	}
	t.rho = k.merge(a, b)
	straight = straight && aheadOfSum(t.inner.V, t.outer.V, t.rho)
	t.low, t.high = min(a.low, b.low), max(a.high, b.high)
	if k.annealing && t.high-t.low > k.maxEnergyError {
		straight = false
	}
	k.pool.release(a.outer)
	k.pool.release(b.inner)
	k.pool.release(b.proposal)
	return t, straight
}

// merge adds the momentum sums, in the memory of one of the trees where it
// has any of its own.
func (k *Kernel) merge(a, b tree) []float64 {
	sum := a.rho
	switch {
	case a.ownsRho:
	case b.ownsRho:
		sum = b.rho
	default:
		sum = k.pool.sum()
	}
	x, y := a.rho[:len(sum)], b.rho[:len(sum)]
	for i := range sum {
		sum[i] = x[i] + y[i]
	}
	if a.ownsRho && b.ownsRho {
		k.pool.releaseSum(b.rho)
	}
	return sum
}

// ahead reports whether both velocities point along the sum of rho and p.
func ahead(v, w, rho, p []float64) bool {
	var first, last float64
	v, w, p = v[:len(rho)], w[:len(rho)], p[:len(rho)]
	for i, r := range rho {
		r += p[i]
		first += v[i] * r
		last += w[i] * r
	}
	return first > 0 && last > 0
}

// aheadOfSum reports whether both velocities point along rho.
func aheadOfSum(v, w, rho []float64) bool {
	var first, last float64
	v, w = v[:len(rho)], w[:len(rho)]
	for i, r := range rho {
		first += v[i] * r
		last += w[i] * r
	}
	return first > 0 && last > 0
}

func logSumExp(a, b float64) float64 {
	if a < b {
		a, b = b, a
	}
	if math.IsInf(a, 0) {
		return a
	}
	return a + math.Log1p(math.Exp(b-a))
}
