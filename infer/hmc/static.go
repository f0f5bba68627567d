// This file is the transition of static Hamiltonian Monte Carlo.

package hmc

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/stdlib/variate"
)

// Kernel is the static Hamiltonian transition. It implements infer.Kernel.
//
//  1. Draw a momentum, and a number of leapfrog steps that is uniform from L/2
//     (rounded up) to 3L/2 (rounded down) with mean L: a fixed number would be
//     in resonance with some coordinate (Neal 2011, section 3.2).
//  2. Integrate that many steps.
//  3. Accept the end with probability min(1, exp(H(start) - H(end))).
//
// The kernel is reversible: number of steps and momentum are drawn without
// regard to the position, and a trajectory is only cut short at a point of
// density zero, which every trajectory over the same points would meet. An
// energy error beyond the bound marks a divergence but does not stop the
// trajectory, since a rule that looks at H - H(start) is not symmetric. A point of
// density zero that is met with less is no divergence but a rejection.
//
// Deviation from CmdStan's static engine: it fixes the integration time (2 pi
// by default) and divides it by the step size; here the number of steps is the
// option, as in the language, and is jittered.
type Kernel struct {
	h              *Hamiltonian
	leapfrogs      int
	maxEnergyError float64
	a, b           Point
}

// NewKernel returns a kernel on a Hamiltonian with that mean number of steps.
func NewKernel(h *Hamiltonian, leapfrogs int, maxEnergyError float64) *Kernel {
	dim := h.Target.Dim()
	return &Kernel{
		h: h, leapfrogs: leapfrogs, maxEnergyError: maxEnergyError,
		a: NewPoint(dim), b: NewPoint(dim),
	}
}

// The sampler columns, as CmdStan names them where it has them:
//   - accept_stat__: acceptance probability of the end
//   - stepsize__: step size of this transition
//   - int_time__: integration time, steps times step size
//   - n_leapfrog__: gradient evaluations
//   - divergent__: 1 if the trajectory diverged
//   - energy__: Hamiltonian at the new draw, with its momentum
var columns = [...]string{"accept_stat__", "stepsize__", "int_time__", "n_leapfrog__", "divergent__", "energy__"}

// Start implements infer.Kernel.
func (k *Kernel) Start(s *infer.State) error { return k.h.Start(s) }

// Pair implements infer.Invertible: the kernel is its own reversal.
func (k *Kernel) Pair() (forward, reverse infer.Kernel) { return k, k }

// Step implements infer.Kernel.
func (k *Kernel) Step(rng *rand.Rand, s *infer.State, info *infer.Info) error {
	k.h.Load(rng, s, &k.a)
	energy := k.a.Energy
	planned := k.steps(rng)
	info.Divergence, info.Rejection = nil, nil
	done, worst := 0, 0.0
	for done < planned && !math.IsInf(k.a.Energy, 1) {
		if err := k.h.Leapfrog(&k.a, &k.b, k.h.StepSize); err != nil {
			return err
		}
		done++
		worst = max(worst, k.b.Energy-energy)
		switch {
		case k.h.Rejected(&k.a, &k.b, energy, k.maxEnergyError):
			info.Rejection = &infer.Rejection{Point: slices.Clone(k.b.Q), Cause: k.b.Reject}
		case info.Divergence == nil && worst > k.maxEnergyError:
			info.Divergence = &infer.Divergence{
				Start: slices.Clone(k.a.Q), Momentum: slices.Clone(k.a.P), Gradient: slices.Clone(k.a.Grad),
				End: slices.Clone(k.b.Q), EnergyError: worst, Cause: k.b.Reject,
			}
		}
		k.a, k.b = k.b, k.a
	}
	accept := math.Min(1, libm.Exp(energy-k.a.Energy))
	if rng.Float64() < accept {
		copy(s.Q, k.a.Q)
		copy(s.Grad, k.a.Grad)
		s.LogDensity, energy = k.a.LogDensity, k.a.Energy
	}
	k.report(info, accept, done, energy)
	return nil
}

// steps draws the number of leapfrog steps.
func (k *Kernel) steps(rng *rand.Rand) int {
	low := (k.leapfrogs + 1) / 2
	return low + variate.IntN(rng, 2*(k.leapfrogs-low)+1)
}

func (k *Kernel) report(info *infer.Info, accept float64, done int, energy float64) {
	info.AcceptStat = accept
	stats := info.Stats[:len(columns)]
	stats[0] = accept
	stats[1] = k.h.StepSize
	stats[2] = float64(done) * k.h.StepSize
	stats[3] = float64(done)
	stats[4] = 0
	if info.Divergence != nil {
		stats[4] = 1
	}
	stats[5] = energy
}
