// This file is the step.

package sgld

import (
	"math"
	"math/rand/v2"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/stdlib/variate"
)

// The sampler columns:
//   - stepsize__: e of the step
var columns = [...]string{"stepsize__"}

// kernel implements infer.Kernel, but for leaving the target invariant.
type kernel struct {
	target infer.Target
	sub    infer.Subsampled
	batch  *batch

	step   float64   // e before it falls
	decay  float64   // gamma; 0 for a constant step
	offset float64   // b
	t      int       // steps since warm-up
	scale  []float64 // G; nil for 1

	anchor     []float64 // of control variates, with all terms' log density and gradient; nil for none
	anchorLP   float64
	anchorGrad []float64

	q, grad, control []float64 // scratch: the point proposed, its gradient, and that of its batch at the anchor
}

// batch draws terms without replacement.
type batch struct {
	order []int // all terms in order, but for while a batch is drawn
	swaps []int // where the batch's terms came from
	terms []int // the present batch
}

func newBatch(terms, size int) *batch {
	size = min(size, terms)
	b := &batch{order: make([]int, terms), swaps: make([]int, size), terms: make([]int, size)}
	for i := range b.order {
		b.order[i] = i
	}
	return b
}

// draw makes a new batch: the beginning of a shuffle, which is then taken back, so that
// batches do not depend on those before.
func (b *batch) draw(r *rand.Rand) []int {
	for i := range b.swaps {
		j := i + variate.IntN(r, len(b.order)-i)
		b.order[i], b.order[j] = b.order[j], b.order[i]
		b.swaps[i] = j
	}
	copy(b.terms, b.order)
	for i := len(b.swaps) - 1; i >= 0; i-- {
		j := b.swaps[i]
		b.order[i], b.order[j] = b.order[j], b.order[i]
	}
	return b.terms
}

// Start implements infer.Kernel. The start is the only point at which the whole log
// density is evaluated; it reports whether the chain may begin there.
func (k *kernel) Start(s *infer.State) error {
	s.Grad = nil
	var err error
	s.LogDensity, err = k.target.LogDensity(s.Q)
	return err
}

// Step implements infer.Kernel.
func (k *kernel) Step(r *rand.Rand, s *infer.State, info *infer.Info) error {
	info.Divergence, info.AcceptStat = nil, math.NaN()
	if s.Grad == nil {
		s.Grad = make([]float64, len(s.Q))
		if err := k.estimate(r, s.Q, &s.LogDensity, s.Grad); err != nil {
			return err
		}
	}
	e := k.step
	if k.decay > 0 {
		e *= libm.Pow(1+float64(k.t)/k.offset, -k.decay)
	}
	k.t++
	info.Stats[0] = e
	tame := k.tame(e, s.Grad)
	for i := range k.q {
		g := k.precision(i)
		k.q[i] = s.Q[i] + float64(tame*e/2*g*s.Grad[i]) + float64(math.Sqrt(e*g)*variate.Normal(r))
	}
	var lp float64
	err := k.estimate(r, k.q, &lp, k.grad)
	if err == nil {
		copy(s.Q, k.q)
		copy(s.Grad, k.grad)
		s.LogDensity = lp
		return nil
	}
	if !infer.IsReject(err) {
		return err
	}
	info.Divergence = &infer.Divergence{
		Start: append([]float64(nil), s.Q...), Gradient: append([]float64(nil), s.Grad...), End: append([]float64(nil), k.q...),
		EnergyError: math.Inf(1), Cause: err,
	}
	return nil
}

// steepest is how far the drift of a step may lead for each coordinate, in standard
// deviations of the step's noise. At the default step size that is some thirty of the
// posterior's.
const steepest = 10

// tame is what a drift is multiplied by: 1, but for those that lead too far, as where a rate
// is an exponential and a point far out has a gradient out of all proportion; such a step
// would land farther out still.
func (k *kernel) tame(e float64, grad []float64) float64 {
	square := 0.0
	for i, d := range grad {
		square += float64(e / 4 * k.precision(i) * d * d)
	}
	if most := float64(steepest*steepest) * float64(len(grad)); square > most {
		return math.Sqrt(most / square)
	}
	return 1
}

// precision is the entry of G.
func (k *kernel) precision(i int) float64 {
	if k.scale == nil {
		return 1
	}
	return k.scale[i]
}

var errNoGradient = infer.Reject("the estimated log density or its gradient is not finite")

// center makes control variates of the terms at q: from then on a batch says no more than
// what changes between there and the point.
func (k *kernel) center(q []float64) error {
	k.anchor = nil
	grad := make([]float64, len(q))
	var lp float64
	if err := k.evaluate(q, k.batch.order, &lp, grad); err != nil {
		return err
	}
	k.anchor, k.anchorLP, k.anchorGrad = append([]float64(nil), q...), lp, grad
	return nil
}

// estimate evaluates a new batch at q. Where there is no density it is a rejection.
func (k *kernel) estimate(r *rand.Rand, q []float64, lp *float64, grad []float64) (err error) {
	return k.evaluate(q, k.batch.draw(r), lp, grad)
}

func (k *kernel) evaluate(q []float64, terms []int, lp *float64, grad []float64) (err error) {
	if *lp, err = k.sub.LogDensityGradTerms(q, terms, grad); err != nil {
		return err
	}
	if k.anchor != nil {
		there, err := k.sub.LogDensityGradTerms(k.anchor, terms, k.control)
		if err != nil {
			return err
		}
		*lp += k.anchorLP - there
		for i, g := range k.control {
			grad[i] += k.anchorGrad[i] - g
		}
	}
	sum := *lp
	for _, g := range grad {
		sum += g
	}
	if math.IsNaN(sum) || math.IsInf(sum, 0) {
		return errNoGradient
	}
	return nil
}
