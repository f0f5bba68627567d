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
	w := &within{bound: bound, halvings: halvings}
	for i := range w.scratch {
		w.scratch[i] = hmc.NewPoint(k.h.Target.Dim())
	}
	k.within = w
}

// DivideSampling makes the kernel Divide once its chain is warm.
func (k *Kernel) DivideSampling(halvings int, bound float64) {
	k.Divide(halvings, bound)
	k.later, k.within = k.within, nil
}

// Keep implements infer.Keeper.
func (k *Kernel) Keep() {
	if k.later != nil {
		k.within = k.later
	}
}

// An outcome is how an attempt at a step of the trajectory ended.
type outcome uint8

const (
	kept     outcome = iota // the energies at all points lie within the bound
	exceeded                // one does not
	rejected                // the density is zero at a point, and shorter steps would not avoid it
)

// leapfrog goes from one point to another by n steps. It stops where it has failed.
func (k *Kernel) leapfrog(from, to *hmc.Point, step float64, n int) (outcome, error) {
	w := k.within
	low, high, at := from.Energy, from.Energy, from
	for i := range n {
		next := &w.scratch[i&1]
		if i == n-1 {
			next = to
		}
		if err := k.h.Leapfrog(at, next, step/float64(n)); err != nil {
			return exceeded, err
		}
		k.leapfrogs++
		if how := k.attempt(at, next, &low, &high); how != kept {
			return how, nil
		}
		at = next
	}
	return kept, nil
}

// attempt judges a leapfrog step of an attempt whose energies were from low to high so far.
func (k *Kernel) attempt(from, to *hmc.Point, low, high *float64) outcome {
	w := k.within
	*low, *high = min(*low, to.Energy), max(*high, to.Energy)
	if *high-*low <= w.bound {
		return kept
	}
	w.last = to
	if k.h.Rejected(from, to, from.Energy, w.bound) {
		return rejected
	}
	return exceeded
}

// divide goes on with a step that one leapfrog step has failed to make. A step that would not be made alike from its
// end is none, so that trajectories are the same from whichever of their points they are built.
func (k *Kernel) divide(from, to *hmc.Point, step float64) (how outcome, back bool, err error) {
	for halvings := 1; halvings <= k.within.halvings; halvings++ {
		if how, err = k.leapfrog(from, to, step, 1<<halvings); err != nil || how == rejected {
			return how, false, err
		}
		if how == kept {
			back, err = k.returns(to, step, halvings)
			return kept, back, err
		}
	}
	return exceeded, false, nil
}

// returns reports whether a step divided by so many halvings would be so from its end, too.
func (k *Kernel) returns(end *hmc.Point, step float64, halvings int) (bool, error) {
	for coarser := range halvings {
		if how, err := k.leapfrog(end, &k.within.scratch[2], -step, 1<<coarser); how != exceeded || err != nil {
			return false, err
		}
	}
	return true, nil
}

// divided goes on with a step at whose end, by one leapfrog step, the energy differs too much from that at its start.
// It reports whether the step was made.
func (k *Kernel) divided(from, to *hmc.Point, step float64) (bool, error) {
	low, high := from.Energy, from.Energy
	how, back := k.attempt(from, to, &low, &high), false
	if how == exceeded {
		var err error
		if how, back, err = k.divide(from, to, step); err != nil {
			return false, err
		}
	}
	switch how {
	case rejected:
		at := k.within.last
		k.rejection = &infer.Rejection{Point: slices.Clone(at.Q), Cause: at.Reject}
	case exceeded:
		k.lost(from)
	}
	return back, nil
}

// lost records that no step size would do at a point.
func (k *Kernel) lost(from *hmc.Point) {
	at := k.within.last
	k.divergence = &infer.Divergence{
		Start: slices.Clone(from.Q), Momentum: slices.Clone(from.P), Gradient: slices.Clone(from.Grad),
		End: slices.Clone(at.Q), EnergyError: math.Abs(at.Energy - from.Energy), Cause: at.Reject,
	}
}
