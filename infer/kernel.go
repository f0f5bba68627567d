// This file defines the parts of a Markov chain: state, kernel, tuner, info.

package infer

import (
	"math/rand/v2"

	"github.com/seed-12b88e03/ppl/infer/draws"
)

// State is the position of a chain: what the next step needs, and no tuning.
type State struct {
	Q          []float64 // coordinates; kernels over mixed spaces keep whole numbers after the continuous ones
	LogDensity float64   // log density at Q
	Grad       []float64 // its gradient; nil for kernels that use none
}

// Info describes one step. The run loop allocates it once a
// chain; a kernel overwrites all of it at each step.
type Info struct {
	AcceptStat float64     // average acceptance probability, in [0, 1]; NaN where it has no meaning
	Stats      []float64   // values of the method's sampler columns, in order
	Divergence *Divergence // nil unless the step diverged; the receiver may keep it
	Rejection  *Rejection  // nil unless the step's trajectory ended at a point of density zero; the receiver may keep it
}

// Divergence records a trajectory whose energy error exceeded the bound: there the integrator does not
// follow the Hamiltonian flow. Positions are on the unconstrained scale.
type Divergence struct {
	Chain       int       // from 0; filled in by the run loop
	Iteration   int       // transition counted from 0 within its phase; filled in by the run loop
	Warmup      bool      // happened in warm-up; filled in by the run loop
	Start       []float64 // position before the failing integrator step
	Momentum    []float64 // momentum there
	Gradient    []float64 // gradient of the log density there
	End         []float64 // position after it
	EnergyError float64   // energy at the end minus energy of the trajectory's start, in nats; +Inf if the end has none
	Cause       error     // the model's rejection at the end; nil if the energy alone is to blame
}

// Rejection records a trajectory that came to a point of density zero while its energy was
// still right. The integrator is not to blame, and no smaller step size would avoid it.
type Rejection struct {
	Chain     int       // from 0; filled in by the run loop
	Iteration int       // transition counted from 0 within its phase; filled in by the run loop
	Point     []float64 // where the density is zero, on the unconstrained scale
	Cause     error     // the model's rejection; else ErrZeroDensity, ErrNaNDensity or ErrInfiniteDensity
}

// Kernel moves a state and leaves its target invariant.
type Kernel interface {
	// Start evaluates the target at s.Q and fills in the rest of s. It is
	// called once before the first step, and again whenever the target or
	// s.Q was changed from outside. A rejection at s.Q is returned as such.
	Start(s *State) error
	// Step moves s in place and overwrites info. An error stops the chain;
	// rejections are the kernel's own matter and never returned.
	Step(rng *rand.Rand, s *State, info *Info) error
}

// Tuner adapts one kernel. The run loop calls Begin, then Update after each
// warm-up step, then End; from then on the kernel is fixed. A chain without
// warm-up gets Begin and End only.
type Tuner interface {
	// Begin prepares the kernel for the first step at s.
	Begin(rng *rand.Rand, s *State) error
	// Update learns from warm-up step i, counted from 0.
	Update(rng *rand.Rand, i int, s *State, info *Info) error
	// End freezes the kernel at what was learned.
	End() error
	// Adaptation reports the kernel's present tuning, as a copy.
	Adaptation() draws.Adaptation
	// Adopt sets the kernel to an earlier tuning, in place of warm-up.
	Adopt(a draws.Adaptation) error
}
