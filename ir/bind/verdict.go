// Verdicts: where a program fails or has no finite result, the reference interpreter decides whether the
// point is rejected. Programs omit checks whose violation shows in their results.

package bind

import (
	"math"
	"slices"
	"sync"

	"github.com/seed-12b88e03/ppl/ir/bind/trace"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/ir/eval"
)

// A rejection is why a program rejects a point. Which statement comes first of those that
// reject it is found when somebody asks.
type rejection struct {
	find  func() error
	once  sync.Once
	found error
}

// rejected is a program's error at q: one of the program's calls, not always the first that
// is at fault, has failed.
func (m *Model) rejected(q []float64, md mode, failure error) error {
	if !infer.IsReject(failure) {
		if _, err := m.plainValue(q, md); err != nil {
			return err
		}
		return failure
	}
	at := append([]float64(nil), q...)
	return &rejection{find: func() error {
		if _, err := m.plainValue(at, md); err != nil {
			return err
		}
		return failure
	}}
}

// undecided reports whether a program's error leaves open what the density is: where it applies at other points only, and
// where what it rejects may be some values of discrete parameters that it sums over, or a branch that is not taken.
func (e *evaluator) undecided(err error) bool {
	return trace.Undecided(err) || (len(e.model.discrete) > 0 || e.model.chooses) && infer.IsReject(err)
}

// Unwrap returns the reference interpreter's error.
func (r *rejection) Unwrap() error {
	r.once.Do(func() { r.found = r.find() })
	return r.found
}

// Error returns its message.
func (r *rejection) Error() string { return r.Unwrap().Error() }

// Recoverable reports that the error is a rejection.
func (r *rejection) Recoverable() bool { return true }

// explained passes a log density on, or what the reference interpreter has instead.
func (e *evaluator) explained(q []float64, lp float64) (float64, error) {
	if sure, err := e.judged(q, lp); sure || err != nil {
		return lp, err
	}
	return e.model.plainValue(q, e.mode)
}

// explainedGrad is explained with the gradient. One that is not finite is the reference interpreter's:
// programs multiply the infinite derivative of an operation by a zero, and get NaN, where the interpreter leaves
// out what the density does not depend on.
func (e *evaluator) explainedGrad(q []float64, lp float64, grad []float64) (float64, error) {
	if sure, err := e.judged(q, lp); err != nil || sure && (lp-lp != 0 || trace.Finite(grad)) {
		return lp, err
	}
	lp, g, err := e.model.plainGradient(q, e.mode)
	copy(grad, g)
	return lp, err
}

// mostNaN is how often an evaluator asks the reference interpreter about a log density that is no number before it compiles a
// program that tells.
const mostNaN = 8

// judged reports whether a log density needs no explanation; the error is why the point is rejected. One that is not finite
// needs explanation: the program may have left out the check that rejects the point, or algebra may have led to there.
func (e *evaluator) judged(q []float64, lp float64) (sure bool, err error) {
	if lp-lp == 0 {
		return true, nil
	}
	if math.IsNaN(lp) && e.strict == nil {
		if e.nans++; e.nans <= mostNaN {
			return false, nil
		}
	}
	if e.strict == nil {
		e.strict = e.model.densities[e.mode].strict.Runner()
	}
	m, err := e.strict.Run(q)
	switch {
	case err == nil:
		return trace.Finite(m.Root(1)), nil
	case math.IsNaN(lp) && infer.IsReject(err) && !e.undecided(err):
		return false, e.model.rejected(q, e.mode, err)
	}
	return false, nil
}

// plainParts evaluates log prior and log likelihood with the reference interpreter. A nil grad is
// not filled; otherwise it becomes the gradient of prior + beta*likelihood.
func (m densityRecorder) plainParts(q []float64, beta float64, grad []float64) (p, l float64, err error) {
	em := m.machine()
	em.Jacobian = true
	at, tape := m.plainPoint(em, q), autodiff.NewTape(m.dim)
	if grad != nil {
		at, em.Rec = trace.Point(q, 0), eval.TapeRecorder{Tape: tape}
	}
	if err := m.walkDensity(em, nil, at); err != nil {
		return math.NaN(), math.NaN(), err
	}
	terms := slices.Clone(em.Terms()) // totalOf uses the machine's own again
	var priors []eval.Term
	for _, t := range terms {
		if trace.Prior(t) {
			priors = append(priors, t)
		}
	}
	first, err := totalOf(em, priors)
	if err != nil {
		return math.NaN(), math.NaN(), err
	}
	whole, err := totalOf(em, terms)
	if err != nil {
		return math.NaN(), math.NaN(), err
	}
	if grad != nil {
		clear(grad)
		addGradient(grad, 1-beta, tape, first)
		addGradient(grad, beta, tape, whole)
	}
	p, l = first.X[0], whole.X[0]-first.X[0]
	if c, err := m.priorConstant(); err == nil {
		p += c
	}
	return p, l, nil
}

// addGradient adds a multiple of a number's gradient.
func addGradient(grad []float64, scale float64, tape *autodiff.Tape, v *eval.Value) {
	if r := v.Ref(0); r.Node != autodiff.None {
		for i, d := range tape.Gradient(r) {
			grad[i] += float64(scale * d)
		}
	}
}
