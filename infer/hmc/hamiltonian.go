// This file is the Hamiltonian: points of phase space and the leapfrog step.

package hmc

import (
	"math"
	"math/rand/v2"

	"github.com/seed-12b88e03/ppl/autodiff/vec"
	"github.com/seed-12b88e03/ppl/infer"
)

// Point is a point of phase space with what was computed there.
type Point struct {
	Q, P       []float64 // position and momentum
	V          []float64 // velocity M^-1 P
	Grad       []float64 // gradient of the log density at Q
	LogDensity float64   // log density at Q
	Energy     float64   // -LogDensity + P'V/2; +Inf where the density is zero or NaN
	Reject     error     // why the density at Q is zero, or nil
}

// NewPoint returns a point of that dimension, in one block of memory.
func NewPoint(dim int) Point {
	b := make([]float64, 4*dim)
	return Point{
		Q: b[0:dim:dim], P: b[dim : 2*dim : 2*dim],
		V: b[2*dim : 3*dim : 3*dim], Grad: b[3*dim : 4*dim : 4*dim],
	}
}

// Hamiltonian is a target with a metric and the step size in use.
type Hamiltonian struct {
	Target   infer.Target
	Metric   *Metric
	StepSize float64 // of the leapfrog integrator, positive
}

// Load sets z to the position of s with a fresh momentum.
func (h *Hamiltonian) Load(rng *rand.Rand, s *infer.State, z *Point) {
	copy(z.Q, s.Q)
	copy(z.Grad, s.Grad)
	z.LogDensity, z.Reject = s.LogDensity, nil
	h.Metric.Sample(rng, z.P)
	h.Metric.Velocity(z.P, z.V)
	var pv float64
	v := z.V[:len(z.P)]
	for i, p := range z.P {
		pv += float64(p * v[i])
	}
	z.setEnergy(pv)
}

// Leapfrog integrates one step of the given length (negative: back in time)
// from one point to another. Where the density is zero, infinite or NaN it leaves a point of
// infinite energy, with the momentum of the middle of the step; any error but a rejection
// by the model is returned.
func (h *Hamiltonian) Leapfrog(from, to *Point, step float64) error {
	half := step / 2
	h.Metric.kickAndDrift(from, to, half, step)
	lp, err := h.Target.LogDensityGrad(to.Q, to.Grad)
	switch {
	case err != nil && !infer.IsReject(err):
		return err
	case err != nil:
		lp = math.Inf(-1)
	case math.IsInf(lp, -1):
		err = infer.ErrZeroDensity
	case math.IsInf(lp, 1):
		err = infer.ErrInfiniteDensity
	case math.IsNaN(lp):
		err = infer.ErrNaNDensity
	}
	to.LogDensity, to.Reject, to.Energy = lp, err, math.Inf(1)
	if err == nil {
		to.setEnergy(h.Metric.kick(to, half))
	}
	return nil
}

// Rejected reports whether a step from a point of a trajectory, whose energy at its start is
// given, came to a point of density zero with its energy still right: after half a kick it is
// not above the start's by more than bound. Otherwise the integrator has lost the trajectory,
// and that the density is zero where it went is no news of the model.
func (h *Hamiltonian) Rejected(from, to *Point, start, bound float64) bool {
	if to.Reject == nil {
		return false
	}
	h.Metric.Velocity(to.P, to.V)
	kinetic := float64(vec.Dot(to.P, to.V) / 2)
	return kinetic-from.LogDensity-start <= bound
}

// setEnergy computes the energy from p'v, which is twice the kinetic one.
func (z *Point) setEnergy(pv float64) {
	z.Energy = pv/2 - z.LogDensity
	if math.IsNaN(z.Energy) {
		z.Energy = math.Inf(1)
	}
}

// Start implements the Start of a gradient-based infer.Kernel.
func (h *Hamiltonian) Start(s *infer.State) error {
	if len(s.Grad) != len(s.Q) {
		s.Grad = make([]float64, len(s.Q))
	}
	var err error
	s.LogDensity, err = h.Target.LogDensityGrad(s.Q, s.Grad)
	return err
}
