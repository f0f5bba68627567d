// Prior and likelihood as separate terms of one evaluation.

package bind

import (
	"math"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/ir/bind/trace"
	"github.com/seed-12b88e03/ppl/ir/eval"
)

// recordTempered compiles the program of (q, beta) whose roots are the log prior with
// the log Jacobian, the log likelihood, and the gradient of
// prior + beta*likelihood with respect to (q, beta).
func (m densityRecorder) recordTempered(in []float64) (*autodiff.Program, error) {
	rec, p, l, err := m.recordBoth(in)
	if err != nil {
		return nil, err
	}
	g := rec.Graph
	beta := g.View(g.Input(), m.dim, 1)
	whole := g.Map(autodiff.Add, 1, p, g.Map(autodiff.Mul, 1, beta, l))
	return autodiff.Compile(g, []autodiff.Node{p, l, autodiff.Gradient(g, whole)}, rec.Effects), nil
}

// recordParts compiles log prior and log likelihood alone.
func (m densityRecorder) recordParts(q []float64) (*autodiff.Program, error) {
	rec, p, l, err := m.recordBoth(q)
	if err != nil {
		return nil, err
	}
	return autodiff.Compile(rec.Graph, []autodiff.Node{p, l}, rec.Effects), nil
}

// recordBoth records the model at q, which the input begins with, and returns the nodes of log
// prior and log likelihood.
func (m densityRecorder) recordBoth(in []float64) (rec *trace.Recorder, p, l autodiff.Node, err error) {
	err = m.fastestParts(func(prog *ir.Program, print func(string)) error {
		return trace.Discharged(print, func(loops bool, print func(string)) (ok bool, err error) {
			rec = m.newRecorder(len(in))
			if loops {
				rec.Point = in
			}
			em := m.recordingOf(prog, rec)
			em.Jacobian, em.Print = true, print
			if err := m.walkDensity(em, rec, trace.Point(in[:m.dim], rec.Graph.View(rec.Graph.Input(), 0, m.dim))); err != nil {
				return false, err
			}
			if p, l, err = rec.Parts(em); err != nil {
				return false, err
			}
			if c, err := m.priorConstant(); err == nil && c != 0 {
				p = rec.Graph.Map(autodiff.Add, 1, p, rec.Graph.Scalar(c))
			}
			ok = rec.DischargeObligations(autodiff.RootsTestedForNonFinite, p, l)
			roots := rec.Vectorize(p, l)
			p, l = roots[0], roots[1]
			return ok, nil
		})
	})
	return rec, p, l, err
}

// LogDensityParts evaluates log prior and log likelihood at q.
func (e *evaluator) LogDensityParts(q []float64) (prior, likelihood float64, err error) {
	if e.parts == nil {
		e.parts = e.model.parts.Runner()
	}
	m, err := e.parts.Run(q)
	if err != nil {
		return e.failedParts(q, 1, nil, err)
	}
	return e.explainedParts(q, 1, m.Root(0)[0], m.Root(1)[0], nil)
}

// failedParts are the parts where a program fails.
func (e *evaluator) failedParts(q []float64, beta float64, grad []float64, failure error) (prior, likelihood float64, err error) {
	if e.undecided(failure) {
		return densityRecorder{e.model}.plainParts(q, beta, grad)
	}
	return math.NaN(), math.NaN(), e.model.rejected(q, e.mode, failure)
}

// explainedParts passes the parts on, of which one may not be finite, and the gradient, if it is wanted.
func (e *evaluator) explainedParts(q []float64, beta, prior, likelihood float64, grad []float64) (float64, float64, error) {
	lp := prior + likelihood
	sure, err := e.judged(q, lp)
	switch {
	case err != nil:
		return math.NaN(), math.NaN(), err
	case sure && (lp-lp != 0 || trace.Finite(grad)):
		return prior, likelihood, nil
	}
	return densityRecorder{e.model}.plainParts(q, beta, grad)
}

// prepareTempered makes what LogDensityPartsGrad needs when it is first wanted.
func (e *evaluator) prepareTempered() {
	if e.tempered == nil {
		e.tempered = e.model.tempered.Runner()
		e.point = make([]float64, e.model.dim+1)
	}
}

// LogDensityPartsGrad also gives the gradient of prior + beta*likelihood; a nil grad
// is not filled.
func (e *evaluator) LogDensityPartsGrad(q []float64, beta float64, grad []float64) (prior, likelihood float64, err error) {
	e.prepareTempered()
	copy(e.point, q)
	e.point[e.model.dim] = beta
	m, err := e.tempered.Run(e.point)
	if err != nil {
		return e.failedParts(q, beta, grad, err)
	}
	copy(grad, m.Root(2)) // all but the last entry, which is the derivative by beta
	return e.explainedParts(q, beta, m.Root(0)[0], m.Root(1)[0], grad)
}

// Splits implements infer.Splitter.
func (e *evaluator) Splits() error {
	if e := e.model.roles.Err(); e != nil {
		return &eval.Error{Span: e.At, Text: e.Text(), Help: e.Help()}
	}
	return nil
}

var (
	_ infer.Tempered = (*evaluator)(nil)
	_ infer.Splitter = (*evaluator)(nil)
)
