// This file is a kernel at work on a path.

package anneal

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
)

// Mover moves a state along a path with a Markov method's kernel.
type Mover struct {
	Source Source
	Path   *Path
	State  infer.State
	Info   infer.Info // of the last step

	forward, reverse infer.Kernel
	tuner            infer.Tuner
	tuning           Tuning
	adaptation       draws.Adaptation // scratch of At
}

// ErrIrreversible reports that a kernel's time reversal is not known.
var ErrIrreversible = errors.New("the time reversal of the kernel is not known")

// NewMover returns a mover with a kernel of the method, untuned.
func NewMover(ctx context.Context, s Source, method infer.Markov) (*Mover, error) {
	m := &Mover{Source: s, Path: NewPath(ctx, s)}
	m.State.Q = make([]float64, s.Dim())
	m.Info.Stats = make([]float64, len(method.Stats()))
	var kernel infer.Kernel
	var err error
	if kernel, m.tuner, err = method.NewKernel(m.Path, 0); err != nil {
		return nil, err
	}
	m.forward = kernel
	if k, ok := kernel.(infer.Invertible); ok {
		m.forward, m.reverse = k.Pair()
	}
	return m, nil
}

// Reversible reports whether Reverse can run.
func (m *Mover) Reversible() bool { return m.reverse != nil }

// Freeze sets the tuning that the kernel has along the path from now on.
func (m *Mover) Freeze(t Tuning) { m.tuning = t }

// SetBeta moves target and tuning to beta. State is stale until Start.
func (m *Mover) SetBeta(beta float64) error {
	m.Path.SetBeta(beta)
	if m.tuning.At(beta, &m.adaptation) {
		return m.tuner.Adopt(m.adaptation)
	}
	return nil
}

// Start prepares the kernel at State.Q and the present beta. It reports false
// where the density there is zero.
func (m *Mover) Start() (alive bool, err error) {
	err = m.forward.Start(&m.State)
	if err != nil && infer.IsReject(err) {
		return false, nil
	}
	return err == nil && m.State.LogDensity > math.Inf(-1), err
}

// Step makes one transition of the forward kernel from a started state.
func (m *Mover) Step(r *rand.Rand) error { return m.forward.Step(r, &m.State, &m.Info) }

// Hook watches a chain: after the move to beta = betas[i] the state and the
// step's info are those of m.
type Hook func(i int, beta float64, m *Mover)

// Forward anneals from q, a draw of the path's start, along betas and returns
// the log weight; State holds the last point. -Inf means that the chain met
// density zero, where it stops. hook may be nil.
func (m *Mover) Forward(r *rand.Rand, q, betas []float64, hook Hook) (logWeight float64, err error) {
	copy(m.State.Q, q)
	for i := 1; i < len(betas); i++ {
		if err := m.SetBeta(betas[i]); err != nil {
			return 0, err
		}
		alive, err := m.Start()
		if err != nil {
			return 0, err
		}
		if !alive {
			return math.Inf(-1), nil
		}
		_, likelihood, err := m.Path.Parts(m.State.Q)
		if err != nil {
			return 0, err
		}
		logWeight += float64((betas[i] - betas[i-1]) * likelihood)
		if err := m.Step(r); err != nil {
			return 0, err
		}
		if hook != nil {
			hook(i, betas[i], m)
		}
	}
	return logWeight, nil
}

// Reverse anneals from q, an exact draw of the posterior, back along betas and
// returns the sum of the increments: minus the log weight of the reverse chain,
// at least log p(y) on average. With settle, a move at the last beta comes
// first; it helps where q is not quite exact. State holds the last point.
func (m *Mover) Reverse(r *rand.Rand, q, betas []float64, settle bool, hook Hook) (sum float64, err error) {
	if m.reverse == nil {
		return 0, ErrIrreversible
	}
	copy(m.State.Q, q)
	n := len(betas) - 1
	for i := n; i >= 1; i-- {
		if i < n || settle {
			if err := m.back(r, i, betas[i], hook); err != nil {
				return 0, err
			}
		}
		_, likelihood, err := m.Path.Parts(m.State.Q)
		if err != nil {
			return 0, err
		}
		sum += float64((betas[i] - betas[i-1]) * likelihood)
	}
	return sum, nil
}

// back makes one move of the reversal at beta.
func (m *Mover) back(r *rand.Rand, i int, beta float64, hook Hook) error {
	if err := m.SetBeta(beta); err != nil {
		return err
	}
	if err := m.reverse.Start(&m.State); err != nil {
		return err
	}
	if err := m.reverse.Step(r, &m.State, &m.Info); err != nil {
		return err
	}
	if hook != nil {
		hook(i, beta, m)
	}
	return nil
}
