// This file is the trajectory: trees, how they are built, joined and judged.

package nuts

import (
	"math"
	"slices"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/infer"
)

// tree is a stretch of trajectory of 2^depth points. It holds a reference to
// each of its three nodes, which may be the same.
type tree struct {
	inner, outer *node // its ends; building goes on from outer
	proposal     *node
	rho          []float64 // sum of the momenta of all points
	ownsRho      bool      // false for a single point, whose rho is its momentum
	weight       float64   // summed exp(-energy), relative to the start
	low, high    float64   // least and greatest energy, relative to the start, where annealing
}

// single makes a tree of one point.
func (t *tree) single(n *node, excess, weight float64) {
	n.refs = 3
	t.inner, t.outer, t.proposal = n, n, n
	t.rho, t.ownsRho = n.P, false
	t.weight, t.low, t.high = weight, excess, excess
}

// maxGain bounds the weight of a point whose energy is that many nats below the start's, so
// that sums stay finite. A chain that has reached its target sees such a point with
// probability exp(-700) at most, by reversibility.
const maxGain = 700

func (t *tree) flip() { t.inner, t.outer = t.outer, t.inner }

// build makes t a subtree of the given depth that starts one step beyond from.
// It reports false if the subtree diverged, turned or was rejected; the error is fatal.
func (k *Kernel) build(depth int, from *node, step float64, t *tree) (bool, error) {
	if depth == 0 {
		return k.leaf(from, step, t)
	}
	if ok, err := k.build(depth-1, from, step, t); !ok {
		return false, err
	}
	var b tree
	if ok, err := k.build(depth-1, t.outer, step, &b); !ok {
		return false, err
	}
	return k.join(t, &b, k.rng.Float64()*(t.weight+b.weight) < b.weight), nil
}

// leaf takes one step of the trajectory.
func (k *Kernel) leaf(from *node, step float64, t *tree) (bool, error) {
	n := k.pool.node()
	k.steps++
	if err := k.h.Leapfrog(&from.Point, &n.Point, step); err != nil {
		return false, err
	}
	k.leapfrogs++
	whole := true
	if w := k.within; w != nil && !(math.Abs(n.Energy-from.Energy) <= w.bound) {
		whole = false
		if made, err := k.divided(&from.Point, &n.Point, step); !made {
			return false, err
		}
	}
	excess, weight := k.weigh(n)
	k.sumAccept += k.accepted(weight, whole)
	switch {
	case k.h.Rejected(&from.Point, &n.Point, k.energy, k.maxEnergyError):
		k.rejection = &infer.Rejection{Point: slices.Clone(n.Q), Cause: n.Reject}
		return false, nil
	case k.diverged(excess):
		k.divergence = &infer.Divergence{
			Start: slices.Clone(from.Q), Momentum: slices.Clone(from.P), Gradient: slices.Clone(from.Grad),
			End: slices.Clone(n.Q), EnergyError: excess, Cause: n.Reject,
		}
		return false, nil
	}
	t.single(n, excess, weight)
	return true, nil
}

// accepted is what a step adds to the acceptance statistic: of WALNUTS whether it was made whole.
func (k *Kernel) accepted(weight float64, whole bool) float64 {
	switch {
	case k.within == nil || k.later != nil:
		return min(1, weight)
	case whole:
		return 1
	}
	return 0
}

// weigh returns the energy of a point and its weight, relative to the start of the trajectory.
func (k *Kernel) weigh(n *node) (excess, weight float64) {
	excess = n.Energy - k.energy
	if math.IsNaN(excess) {
		excess = math.Inf(1)
	}
	return excess, libm.Exp(min(-excess, maxGain))
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
// and reports whether the whole does not turn. It is a then; b is used up.
func (k *Kernel) join(a, b *tree, takeB bool) (straight bool) {
	rho := k.merged(a, b)
	if a.ownsRho || b.ownsRho {
		straight = joined(rho, a, b)
	} else {
		straight = merge(rho, a.rho, b.rho, a.inner.V, b.outer.V)
	}
	k.pool.release(a.outer)
	k.pool.release(b.inner)
	proposals, taken := [2]*node{a.proposal, b.proposal}, 0
	if takeB { // a number, no jump, of which the processor could not foresee where it goes
		taken = 1
	}
	k.pool.release(proposals[taken^1])
	a.proposal, a.outer, a.rho, a.ownsRho = proposals[taken], b.outer, rho, true
	a.weight += b.weight
	return straight && (!k.annealing || k.near(a, b))
}

// near reports whether the energies of two stretches, of which a becomes the whole, lie within
// the greatest error allowed.
func (k *Kernel) near(a, b *tree) bool {
	a.low, a.high = min(a.low, b.low), max(a.high, b.high)
	return !(a.high-a.low > k.maxEnergyError)
}

// merged is where the sum of the momentum sums goes: the memory of one of the trees where
// it has any of its own. That of the other may be used again once they are added.
func (k *Kernel) merged(a, b *tree) []float64 {
	switch {
	case a.ownsRho && b.ownsRho:
		k.pool.releaseSum(b.rho)
		return a.rho
	case a.ownsRho:
		return a.rho
	case b.ownsRho:
		return b.rho
	}
	return k.pool.sum()
}

// merge adds momentum sums and reports whether both velocities point along the result.
func merge(sum, x, y, v, w []float64) bool {
	var first, last float64
	x, y, v, w = x[:len(sum)], y[:len(sum)], v[:len(sum)], w[:len(sum)]
	for i := range sum {
		r := x[i] + y[i]
		sum[i] = r
		first += float64(v[i] * r)
		last += float64(w[i] * r)
	}
	return first > 0 && last > 0
}

// joined adds the momentum sums of two stretches and makes the three checks: over the whole,
// over the first with the first point of the second, and over the second with the last point
// of the first. All sums are made in one pass, since each by itself waits for its own last
// addition.
func joined(sum []float64, a, b *tree) bool {
	var whole, wholeEnd, first, firstEnd, second, secondEnd float64
	n := len(sum)
	x, y, p, q := a.rho[:n], b.rho[:n], a.outer.P[:n], b.inner.P[:n]
	v, ve, w, we := a.inner.V[:n], a.outer.V[:n], b.inner.V[:n], b.outer.V[:n]
	for i := range sum {
		r, s := x[i], y[i]
		near, far := r+q[i], s+p[i]
		first += float64(v[i] * near)
		firstEnd += float64(w[i] * near)
		second += float64(ve[i] * far)
		secondEnd += float64(we[i] * far)
		r += s
		sum[i] = r
		whole += float64(v[i] * r)
		wholeEnd += float64(we[i] * r)
	}
	return first > 0 && firstEnd > 0 && second > 0 && secondEnd > 0 && whole > 0 && wholeEnd > 0
}
