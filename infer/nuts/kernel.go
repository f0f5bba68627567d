// This file is the transition.

package nuts

import (
	"math/rand/v2"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/hmc"
)

// Kernel implements infer.Kernel.
type Kernel struct {
	h              *hmc.Hamiltonian
	maxDepth       int
	maxEnergyError float64
	annealing      bool // stop on the range of energies, not on the distance from the start
	pool           *pool
	within         *within // of WALNUTS; nil: steps of the trajectory are leapfrog steps
	later          *within // what within is to be in sampling; nil: as in warm-up

	// of the transition under way
	rng        *rand.Rand
	energy     float64 // at the start of the trajectory
	leapfrogs  int
	steps      int     // of the trajectory: each has a statistic
	sumAccept  float64 // summed acceptance probabilities of all points; of WALNUTS in warm-up, steps that were not divided
	divergence *infer.Divergence
	rejection  *infer.Rejection
	momentum   []float64 // at the draw
}

// NewKernel returns a kernel on a Hamiltonian.
func NewKernel(h *hmc.Hamiltonian, maxDepth int, maxEnergyError float64) *Kernel {
	return &Kernel{h: h, maxDepth: maxDepth, maxEnergyError: maxEnergyError, pool: newPool(h.Target.Dim())}
}

// The sampler columns, as CmdStan names and defines them:
//   - accept_stat__: acceptance probability, averaged over all points of the
//     trajectory, rejected subtrees included
//   - stepsize__: step size of this transition
//   - treedepth__: doublings that were accepted
//   - n_leapfrog__: gradient evaluations
//   - divergent__: 1 if the trajectory diverged; one that ended at a point of density zero
//     with its energy right has not, where CmdStan counts it, too
//   - energy__: Hamiltonian at the new draw, with its momentum
var columns = [...]string{"accept_stat__", "stepsize__", "treedepth__", "n_leapfrog__", "divergent__", "energy__"}

// searchDepth bounds the doublings while a chain looks for the typical set.
const searchDepth, searchAgainDepth = 6, 8

// Search implements infer.Searcher.
func (k *Kernel) Search(again bool) {
	depth := searchDepth
	if again {
		depth = searchAgainDepth
	}
	k.maxDepth = min(k.maxDepth, depth)
}

// Start implements infer.Kernel.
func (k *Kernel) Start(s *infer.State) error { return k.h.Start(s) }

// Pair implements infer.Invertible. The kernel returned is its own reversal: it
// stops on the range of energies over a trajectory, which all its points agree
// on, where Stan's rule looks at the distance from the point it started at.
func (k *Kernel) Pair() (forward, reverse infer.Kernel) {
	exact := *k
	exact.annealing = true
	return &exact, &exact
}

// Step implements infer.Kernel.
func (k *Kernel) Step(rng *rand.Rand, s *infer.State, info *infer.Info) error {
	start := k.begin(rng, s)
	depth, draw, err := k.trajectory(start)
	if err != nil {
		return err
	}
	copy(s.Q, draw.Q)
	copy(s.Grad, draw.Grad)
	s.LogDensity = draw.LogDensity
	k.momentum = draw.P

	info.AcceptStat = k.sumAccept / float64(k.steps)
	info.Divergence, info.Rejection = k.divergence, k.rejection
	divergent := 0.0
	if k.divergence != nil {
		divergent = 1
	}
	stats := info.Stats[:len(columns)]
	stats[0] = info.AcceptStat
	stats[1] = k.h.StepSize
	stats[2] = float64(depth)
	stats[3] = float64(k.leapfrogs)
	stats[4] = divergent
	stats[5] = draw.Energy
	return nil
}

// Momentum is that of the last draw, on the trajectory that it was taken from. It is valid
// until the next Step.
func (k *Kernel) Momentum() []float64 { return k.momentum }

func (k *Kernel) begin(rng *rand.Rand, s *infer.State) *node {
	k.pool.reset()
	k.rng = rng
	k.leapfrogs, k.steps, k.sumAccept, k.divergence, k.rejection = 0, 0, 0, nil, nil
	start := k.pool.node()
	k.h.Load(rng, s, &start.Point)
	k.energy = start.Energy
	return start
}

// trajectory doubles until it turns, diverges or is deep enough. It returns
// the number of doublings and the draw.
func (k *Kernel) trajectory(start *node) (depth int, draw *node, err error) {
	var t, sub tree
	t.single(start, 0, 1)
	forward := true
	for depth < k.maxDepth {
		if goForward := k.rng.Uint64()>>63 == 0; goForward != forward {
			t.flip()
			forward = goForward
		}
		step := k.h.StepSize
		if !forward {
			step = -step
		}
		ok, err := k.build(depth, t.outer, step, &sub)
		if err != nil {
			return 0, nil, err
		}
		if !ok {
			break
		}
		depth++
		if !k.join(&t, &sub, k.rng.Float64()*t.weight < sub.weight) {
			break
		}
	}
	return depth, t.proposal, nil
}
