// Prior and likelihood of all parameters, discrete ones included.

package bind

import (
	"math"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/ir/bind/trace"
)

// recordJointParts compiles the program of (q, indicators, beta) whose roots are those of
// recordTempered.
func (m densityRecorder) recordJointParts(in []float64) (*autodiff.Program, error) {
	rec := m.newRecorder(len(in))
	em := m.recording(rec)
	em.Jacobian = true
	if err := m.walkDensity(em, rec, trace.Point(in[:m.dim], rec.Graph.View(rec.Graph.Input(), 0, m.dim))); err != nil {
		return nil, err
	}
	p, l := rec.JointParts(em.Terms(), trace.IndicatorsOf(em, m.dim))
	if c, err := m.priorConstant(); err == nil && c != 0 {
		p = rec.Graph.Map(autodiff.Add, 1, p, rec.Graph.Scalar(c))
	}
	rec.DischargeObligations(autodiff.RootsTestedForNaN, p, l)
	roots := rec.Vectorize(p, l)
	p, l = roots[0], roots[1]
	g := rec.Graph
	beta := g.View(g.Input(), len(in)-1, 1)
	whole := g.Map(autodiff.Add, 1, p, g.Map(autodiff.Mul, 1, beta, l))
	return autodiff.Compile(g, []autodiff.Node{p, l, autodiff.Gradient(g, whole)}, rec.Effects), nil
}

// LogDensityParts implements infer.Tempered for the joint density.
func (e *jointEvaluator) LogDensityParts(q []float64) (prior, likelihood float64, err error) {
	if len(e.ranges) == 0 {
		return e.evaluator.LogDensityParts(q)
	}
	return e.LogDensityPartsGrad(q, 1, nil)
}

// LogDensityPartsGrad also gives the gradient of prior + beta*likelihood by the
// continuous coordinates; that by the others is 0. A nil grad is not filled.
func (e *jointEvaluator) LogDensityPartsGrad(q []float64, beta float64, grad []float64) (prior, likelihood float64, err error) {
	if len(e.ranges) == 0 {
		return e.evaluator.LogDensityPartsGrad(q, beta, grad)
	}
	tables, err := e.indicate(q)
	if err != nil {
		return math.NaN(), math.NaN(), err
	}
	if !tables {
		return e.plainParts(q, beta, grad)
	}
	if e.split == nil {
		e.split = e.model.jointParts.Runner()
	}
	m := e.run(e.split, append(e.in, beta))
	if m == nil || math.IsNaN(m.Root(0)[0]+m.Root(1)[0]) {
		return e.plainParts(q, beta, grad)
	}
	if grad != nil {
		clear(grad)
		copy(grad[:e.model.dim], m.Root(2))
	}
	return m.Root(0)[0], m.Root(1)[0], nil
}

// PrefersBatchParts implements infer.BatchTempered.
func (e *jointEvaluator) PrefersBatchParts(n int) bool {
	return len(e.ranges) == 0 && e.evaluator.PrefersBatchParts(n)
}

// LogDensityPartsGradMany implements infer.BatchTempered; with discrete parameters it
// takes one point after the other.
func (e *jointEvaluator) LogDensityPartsGradMany(q [][]float64, beta []float64, grad [][]float64, prior, likelihood []float64, err []error) {
	if len(e.ranges) == 0 {
		e.evaluator.LogDensityPartsGradMany(q, beta, grad, prior, likelihood, err)
		return
	}
	for i := range q {
		prior[i], likelihood[i], err[i] = e.LogDensityPartsGrad(q[i], beta[i], grad[i])
	}
}

// plainParts is LogDensityPartsGrad without tables.
func (e *jointEvaluator) plainParts(q []float64, beta float64, grad []float64) (prior, likelihood float64, err error) {
	var free []float64
	if grad != nil {
		clear(grad)
		free = grad[:e.model.dim]
	}
	prior, likelihood, err = densityRecorder{e.model}.plainJoint(q[:e.model.dim], e.wholeNumbers(q), beta, free)
	if err != nil {
		return math.NaN(), math.NaN(), err
	}
	if c, err := e.model.priorConstant(); err == nil {
		prior += c
	}
	return prior, likelihood, nil
}

var _ infer.Tempered = (*jointEvaluator)(nil)
