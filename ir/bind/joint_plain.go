// The joint density at single values of the discrete parameters, without tables over
// them: for models where one would be too large. It is evaluated from scratch at every
// point, which is slower than what is compiled.

package bind

import (
	"github.com/seed-12b88e03/ppl/ir/bind/trace"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/ir/eval"
)

// plainJoint evaluates the log densities of prior, log Jacobian included, and likelihood
// where the discrete parameters have the values z. A nil grad is not filled; otherwise it
// becomes the gradient of prior + beta*likelihood by the continuous coordinates q.
func (m densityRecorder) plainJoint(q []float64, z []int, beta float64, grad []float64) (p, l float64, err error) {
	em := m.machine()
	em.Jacobian = true
	at := autodiff.Node(autodiff.None)
	var tape *autodiff.Tape
	if grad != nil {
		tape, at = autodiff.NewTape(m.dim), 0
		em.Rec = eval.TapeRecorder{Tape: tape}
	}
	if err := m.setContinuous(em, trace.Point(q, at)); err != nil {
		return 0, 0, err
	}
	m.setDrawn(em, z)
	if err := m.transformParameters(em, nil); err != nil {
		return 0, 0, err
	}
	if err := em.Run(em.Prog.Model); err != nil {
		return 0, 0, err
	}
	clear(grad)
	for _, t := range em.Terms() {
		scale, sum := 1.0, &p
		if trace.Likelihood(t) {
			scale, sum = beta, &l
		}
		*sum += t.Value.X[0]
		if grad != nil && t.Value.Ref(0).Node != autodiff.None {
			for i, d := range tape.Gradient(t.Value.Ref(0)) {
				grad[i] += float64(scale * d)
			}
		}
	}
	return p, l, nil
}
