// This file is WALNUTS: steps of the trajectory that adapt to the curvature where they are made.

package nuts

import (
	"math"
	"slices"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/hmc"
)

// within is the integrator of WALNUTS. A step of the trajectory is made by 1, 2, 4, ... leapfrog
// steps of that length in all, the first number that keeps the energies of all points within a bound.
type within struct {
	bound    float64 // nats
	halvings int     // most
	scratch  [3]hmc.Point
	last     *hmc.Point // where the last attempt that failed ended
}

// Divide makes the kernel that of WALNUTS, with so many halvings, at least 1, of a step within which
// energies may differ by bound nats.
func (k *Kernel) Divide(halvings int, bound float64) {
	k.within = &within{bound: bound, halvings: halvings}
	for i := range k.within.scratch {
		k.within.scratch[i] = hmc.NewPoint(k.h.Target.Dim())
	}
}

// A micro is how a step of the trajectory came out.
type micro uint8

const (
	whole        micro = iota // by one leapfrog step
	divided                   // by several
	irreversible              // from its end another number of leapfrog steps would be chosen
	lost                      // no number will do
)

// micro makes a step. A step that would not be made alike from its end is none, so that
// trajectories are the same from whichever of their points they are built.
func (k *Kernel) micro(from, to *hmc.Point, step float64) (micro, error) {
	w := k.within
	for halvings := 0; halvings <= w.halvings; halvings++ {
		ok, err := k.leapfrog(from, to, step, 1<<halvings)
		if err != nil {
			return lost, err
		}
		if !ok {
			continue
		}
		for coarser := range halvings {
			if ok, err := k.leapfrog(to, &w.scratch[2], -step, 1<<coarser); ok || err != nil {
				return irreversible, err
			}
		}
		if halvings == 0 {
			return whole, nil
		}
		return divided, nil
	}
	return lost, nil
}

// leapfrog goes from one point to another by n steps, and reports whether the energies of all points
// lie within the bound. It stops where they do not.
func (k *Kernel) leapfrog(from, to *hmc.Point, step float64, n int) (ok bool, err error) {
	w := k.within
	low, high, at := from.Energy, from.Energy, from
	for i := range n {
		next := &w.scratch[i&1]
		if i == n-1 {
			next = to
		}
		if err := k.h.Leapfrog(at, next, step/float64(n)); err != nil {
			return false, err
		}
		k.leapfrogs++
		low, high, at = min(low, next.Energy), max(high, next.Energy), next
		if !(high-low <= w.bound) {
			w.last = next
			return false, nil
		}
	}
	return true, nil
}

// dividedLeaf is leaf by the integrator of WALNUTS.
func (k *Kernel) dividedLeaf(from, n *node, step float64, t *tree) (bool, error) {
	how, err := k.micro(&from.Point, &n.Point, step)
	switch {
	case err != nil:
		return false, err
	case how == lost:
		k.lost(&from.Point)
		return false, nil
	case how == irreversible:
		return false, nil
	case how == whole:
		k.sumAccept++
	}
	excess, weight := k.weigh(n)
	t.single(n, excess, weight)
	return true, nil
}

// lost records that no step size would do at a point: a divergence, or a point of density zero.
func (k *Kernel) lost(from *hmc.Point) {
	at := k.within.last
	if k.h.Rejected(from, at, k.energy, k.maxEnergyError) {
		k.rejection = &infer.Rejection{Point: slices.Clone(at.Q), Cause: at.Reject}
		return
	}
	k.divergence = &infer.Divergence{
		Start: slices.Clone(from.Q), Momentum: slices.Clone(from.P), Gradient: slices.Clone(from.Grad),
		End: slices.Clone(at.Q), EnergyError: math.Abs(at.Energy - from.Energy), Cause: at.Reject,
	}
}
