// This file is the transition.

package mh

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/stdlib/variate"
)

// fewValues is the largest number of values between which a whole number moves
// freely.
const fewValues = 16

// proposal is what is learned: shared by a kernel, its reversal and the tuner.
type proposal struct {
	scale float64   // s of the joint move
	root  []float64 // L of the joint move, row by row, over the real coordinates
	width []float64 // w of single moves, over all coordinates
	sweep bool      // the real coordinates move one after the other in adaptive mode, too
}

// Kernel implements infer.Kernel.
type Kernel struct {
	target   infer.Target
	single   bool          // the real coordinates move one after the other
	backward bool          // moves come in the opposite order
	n        int           // real coordinates; they come first
	whole    []infer.Range // of the others
	*proposal
	q, z   []float64 // scratch: the point proposed, noise
	accept []float64 // acceptance probability of each move
	batch  *batch    // the joint moves of a transition; nil where they are made one by one
	drawn  bool      // batch has those of the transition under way
}

// The sampler columns:
//   - accept_stat__: acceptance probability, averaged over the moves
//   - stepsize__: s, or the geometric mean of all w
var columns = [...]string{"accept_stat__", "stepsize__"}

func newKernel(t infer.Target, single bool, scale float64) (*Kernel, error) {
	dim := t.Dim()
	k := &Kernel{target: t, single: single, n: dim}
	if mixed, ok := infer.Capability[infer.Mixed](t); ok {
		k.whole = mixed.Whole()
		k.n -= len(k.whole)
	}
	if k.n < 0 {
		return nil, fmt.Errorf("mh: %d whole numbers among %d coordinates", len(k.whole), dim)
	}
	k.proposal = &proposal{scale: scale, root: make([]float64, k.n*k.n), width: make([]float64, dim)}
	for i := range k.n {
		k.root[i*k.n+i] = 1
	}
	for i := range k.width {
		k.width[i] = scale
		if i >= k.n {
			k.width[i] = 1
		}
	}
	k.q, k.z = make([]float64, dim), make([]float64, dim)
	k.accept = make([]float64, dim)
	if !single && k.n >= together {
		k.batch = newBatch(k.n)
	}
	return k, nil
}

// Start implements infer.Kernel. Whole numbers are first rounded into their
// range, since starting points are drawn without regard to it.
func (k *Kernel) Start(s *infer.State) error {
	for i, r := range k.whole {
		at := &s.Q[k.n+i]
		*at = math.Max(r.Low, math.Min(r.High, math.Round(*at)))
	}
	var err error
	s.LogDensity, err = k.target.LogDensity(s.Q)
	return err
}

// DrawWhole implements infer.WholeDrawer.
func (k *Kernel) DrawWhole(r *rand.Rand, q []float64) (bool, error) {
	return infer.DrawWhole(k.target, q, r)
}

// Pair implements infer.Invertible.
func (k *Kernel) Pair() (forward, reverse infer.Kernel) {
	b := *k
	b.backward = !k.backward
	return k, &b
}

// Step implements infer.Kernel.
func (k *Kernel) Step(rng *rand.Rand, s *infer.State, info *infer.Info) error {
	if k.drawn = k.batch != nil && !k.sweep; k.drawn {
		k.batch.draw(rng, k.root, k.scale, k.n)
	}
	var sum float64
	moves := k.moves()
	for m := range moves {
		if k.backward {
			m = moves - 1 - m
		}
		a, err := k.move(rng, s, m)
		if err != nil {
			return err
		}
		k.accept[m] = a
		sum += a
	}
	k.drawn = false
	info.Divergence = nil
	info.AcceptStat = sum / float64(max(moves, 1))
	info.Stats[0], info.Stats[1] = info.AcceptStat, k.size()
	return nil
}

// moves is the number of moves in a transition: as many joint ones as there are real
// coordinates, or one of each of them; and one of each whole number.
func (k *Kernel) moves() int { return len(k.q) }

// coordinate is the one that move m is about; -1 for a joint move.
func (k *Kernel) coordinate(m int) int {
	if m < k.n && !k.single && !k.sweep {
		return -1
	}
	return m
}

// move makes one proposal and returns its acceptance probability.
func (k *Kernel) move(rng *rand.Rand, s *infer.State, m int) (float64, error) {
	copy(k.q, s.Q)
	if !k.propose(rng, m) {
		return 0, nil
	}
	lp, err := infer.FiniteLogDensity(k.target, k.q)
	if err != nil {
		return 0, err
	}
	a := math.Min(1, libm.Exp(lp-s.LogDensity))
	if math.IsNaN(a) {
		return 0, nil
	}
	if rng.Float64() < a {
		copy(s.Q, k.q)
		s.LogDensity = lp
	}
	return a, nil
}

// propose changes k.q by move m; false means that it left the range.
func (k *Kernel) propose(rng *rand.Rand, m int) bool {
	switch i := k.coordinate(m); {
	case i < 0 && k.drawn:
		for j, v := range k.batch.moves[m*k.n : (m+1)*k.n] {
			k.q[j] += v
		}
	case i < 0:
		k.joint(rng)
	case i < k.n:
		k.q[i] += float64(k.width[i] * variate.Normal(rng))
	default:
		return k.step(rng, i)
	}
	return true
}

// joint adds s L z to the real coordinates.
func (k *Kernel) joint(rng *rand.Rand) {
	z := k.z[:k.n]
	for i := range z {
		z[i] = k.scale * variate.Normal(rng)
	}
	for i := range z {
		for j, l := range k.root[i*k.n : i*k.n+i+1] {
			k.q[i] += float64(l * z[j])
		}
	}
}

// step moves a whole number.
func (k *Kernel) step(rng *rand.Rand, i int) bool {
	r := k.whole[i-k.n]
	if values := r.High - r.Low + 1; values <= fewValues {
		if values < 2 {
			return false
		}
		to := r.Low + float64(variate.IntN(rng, int(values)-1))
		if to >= k.q[i] {
			to++
		}
		k.q[i] = to
		return true
	}
	by := math.Ceil(k.width[i] * math.Abs(variate.Normal(rng)))
	if rng.Uint64()>>63 == 0 {
		by = -by
	}
	k.q[i] += by
	return k.q[i] >= r.Low && k.q[i] <= r.High
}

// size is the figure for the column stepsize__.
func (k *Kernel) size() float64 {
	if !k.single {
		return k.scale
	}
	var sum float64
	for _, w := range k.width {
		sum += libm.Log(w)
	}
	return libm.Exp(sum / float64(max(len(k.width), 1)))
}
