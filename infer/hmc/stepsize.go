// This file adapts the step size: a first guess, and dual averaging.

package hmc

import (
	"errors"
	"math"
	"math/rand/v2"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/infer"
)

// The step-size search gave up. Both say what the model's density looks like.
var (
	ErrImproper      = errors.New("the step size grew without bound while it was being initialised: the posterior is improper, please check the model")
	ErrDiscontinuous = errors.New("no step size is small enough: the log density may be discontinuous, or its gradient wrong, please check the model")
)

// maxStepSize is where the search concludes that the target is flat.
const maxStepSize = 1e20

// InitStepSize sets h.StepSize to a power of two times its present value such
// that one leapfrog step from s has an acceptance probability near 0.8. Each
// trial has its own momentum. This is the heuristic of Hoffman and Gelman
// (2014), algorithm 4, with Stan's bound 0.8 in place of 1/2. a and b are
// scratch.
func (h *Hamiltonian) InitStepSize(rng *rand.Rand, s *infer.State, a, b *Point) error {
	bound := libm.Log(0.8)
	if h.StepSize <= 0 || h.StepSize > maxStepSize || math.IsNaN(h.StepSize) {
		return nil
	}
	gain := func() (float64, error) {
		h.Load(rng, s, a)
		if err := h.Leapfrog(a, b, h.StepSize); err != nil {
			return 0, err
		}
		return a.Energy - b.Energy, nil
	}
	g, err := gain()
	if err != nil {
		return err
	}
	grow := g > bound
	for {
		g, err := gain()
		if err != nil {
			return err
		}
		if grow != (g > bound) {
			return nil
		}
		if grow {
			h.StepSize *= 2
		} else {
			h.StepSize /= 2
		}
		if h.StepSize > maxStepSize {
			return ErrImproper
		}
		if h.StepSize == 0 {
			return ErrDiscontinuous
		}
	}
}

// DualAveraging drives the average acceptance statistic to Delta: Nesterov's
// scheme as in Hoffman and Gelman (2014), section 3.2.
type DualAveraging struct {
	Delta float64 // target of the acceptance statistic, in (0, 1)
	Gamma float64 // how strongly the iterates are pulled to the start
	Kappa float64 // how fast early iterates are forgotten, in (0.5, 1]
	T0    float64 // how much the first iterations are damped

	n        float64 // iterations since Restart
	mu       float64 // the point the iterates are pulled to
	gap      float64 // average of Delta minus the statistic
	smoothed float64 // averaged log step size
}

// Restart forgets what was learned and starts anew around a step size.
func (d *DualAveraging) Restart(stepSize float64) {
	d.n, d.gap, d.smoothed = 0, 0, 0
	d.mu = libm.Log(10 * stepSize)
}

// Update learns from one transition and returns the step size for the next.
func (d *DualAveraging) Update(acceptStat float64) float64 {
	d.n++
	w := 1 / (d.n + d.T0)
	d.gap = float64((1-w)*d.gap) + float64(w*(d.Delta-math.Min(1, acceptStat)))
	x := d.mu - d.gap*math.Sqrt(d.n)/d.Gamma
	w = libm.Pow(d.n, -d.Kappa)
	d.smoothed = float64((1-w)*d.smoothed) + float64(w*x)
	return libm.Exp(x)
}

// Final is the averaged step size. Without an update it is 0.
func (d *DualAveraging) Final() float64 {
	if d.n == 0 {
		return 0
	}
	return libm.Exp(d.smoothed)
}
