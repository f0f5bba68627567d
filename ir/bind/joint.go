// The joint density of all parameters, discrete ones included, for the methods that
// sample those directly.

package bind

import (
	"math"
	"math/rand/v2"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/ir/bind/conjugate"
	"github.com/seed-12b88e03/ppl/ir/bind/trace"
	"github.com/seed-12b88e03/ppl/ir/eval"
)

// Joint is the model with the discrete parameters as whole-number coordinates after
// the continuous ones.
func (m *Model) Joint() infer.Model { return &joint{m} }

type joint struct{ *Model }

// Dim counts the unconstrained and the whole-number coordinates.
func (j *joint) Dim() int { return j.dim + j.numbers() }

// NewEvaluator makes an evaluator over both.
func (j *joint) NewEvaluator() infer.Evaluator { return j.Model.newJointEvaluator() }

// recordJoint compiles log density and gradient of (q, indicators) as computed there.
func (m densityRecorder) recordJoint(in []float64) (*autodiff.Program, error) {
	rec := m.newRecorder(len(in))
	em := m.recording(rec)
	em.Jacobian = true
	if err := m.walkDensity(em, rec, trace.Point(in[:m.dim], rec.Graph.View(rec.Graph.Input(), 0, m.dim))); err != nil {
		return nil, err
	}
	lp := rec.Joint(em.Terms(), trace.IndicatorsOf(em, m.dim))
	rec.DischargeObligations(autodiff.RootsTestedForNaN, lp)
	lp = rec.Vectorize(lp)[0]
	return autodiff.Compile(rec.Graph, []autodiff.Node{lp, autodiff.Gradient(rec.Graph, lp)}, rec.Effects), nil
}

// A jointEvaluator implements infer.Evaluator, infer.Mixed and infer.Conditionals.
type jointEvaluator struct {
	*evaluator
	joint  *trace.Runner
	split  *trace.Runner // of prior and likelihood; made when first needed
	in     []float64
	plain  bool // factors are too large for tables: see plainJoint
	values []int
	ranges []infer.Range

	blocks infer.Blocking
	cond   *conjugate.State // of block updates; made when first needed
}

func (m *Model) newJointEvaluator() *jointEvaluator {
	e := &jointEvaluator{evaluator: m.newEvaluator(standard), joint: m.joint.Runner()}
	for _, d := range m.discrete {
		for i := range d.Low {
			e.ranges = append(e.ranges, infer.Range{Low: float64(d.Low[i]), High: float64(d.High[i])})
		}
	}
	return e
}

// Dim counts both kinds of coordinates.
func (e *jointEvaluator) Dim() int { return e.model.dim + len(e.ranges) }

// Whole returns the ranges of the discrete parameters.
func (e *jointEvaluator) Whole() []infer.Range { return e.ranges }

// indicate fills e.in with the continuous coordinates and the indicators. False says that the density has to be
// evaluated without tables, which are too large.
func (e *jointEvaluator) indicate(q []float64) (tables bool, err error) {
	dim, size := e.model.dim, e.model.dim
	for i, r := range e.ranges {
		if z := q[dim+i]; z < r.Low || z > r.High || z != math.Trunc(z) {
			return false, infer.Reject("a discrete parameter is out of its range")
		}
		size = min(size+int(r.High-r.Low)+1, mostIndicators)
	}
	if e.plain = e.plain || size == mostIndicators; e.plain {
		return false, nil
	}
	if e.in == nil {
		e.in = make([]float64, size)
	}
	copy(e.in, q[:dim])
	clear(e.in[dim:])
	at := dim
	for i, r := range e.ranges {
		e.in[at+int(q[dim+i]-r.Low)] = 1
		at += int(r.High-r.Low) + 1
	}
	return true, nil
}

// mostIndicators is how many numbers a point and the indicators of its discrete parameters may be together.
const mostIndicators = eval.MaxTable

// run evaluates a compiled density. nil says that there is none at the point, or tables are too large.
func (e *jointEvaluator) run(r *trace.Runner, in []float64) *autodiff.Machine {
	m, err := r.Run(in)
	if e.plain = conjugate.TooLarge(err); err != nil {
		return nil
	}
	return m
}

// LogDensity evaluates the joint log density.
func (e *jointEvaluator) LogDensity(q []float64) (float64, error) {
	tables, err := e.indicate(q)
	if err != nil {
		return math.NaN(), err
	}
	if !tables {
		return e.without(q, 1, nil)
	}
	m := e.run(e.joint, e.in)
	if m == nil || math.IsNaN(m.Root(0)[0]) {
		return e.without(q, 1, nil)
	}
	return m.Root(0)[0], nil
}

// without evaluates without tables: a value that is not the present one may have had
// probability zero, whose logarithm no factor of zero takes away.
func (e *jointEvaluator) without(q []float64, beta float64, grad []float64) (float64, error) {
	p, l, err := densityRecorder{e.model}.plainJoint(q[:e.model.dim], e.wholeNumbers(q), beta, grad)
	return p + l, err
}

// wholeNumbers are the values of the discrete parameters.
func (e *jointEvaluator) wholeNumbers(q []float64) []int {
	if e.values == nil {
		e.values = make([]int, len(e.ranges))
	}
	for i, z := range q[e.model.dim:] {
		e.values[i] = int(z)
	}
	return e.values
}

// LogDensityGrad evaluates it with the gradient by the continuous coordinates; that by
// the others is 0.
func (e *jointEvaluator) LogDensityGrad(q, grad []float64) (float64, error) {
	tables, err := e.indicate(q)
	if err != nil {
		return math.NaN(), err
	}
	clear(grad)
	if !tables {
		return e.without(q, 1, grad[:e.model.dim])
	}
	m := e.run(e.joint, e.in)
	if m == nil || math.IsNaN(m.Root(0)[0]) {
		return e.without(q, 1, grad[:e.model.dim])
	}
	copy(grad[:e.model.dim], m.Root(1))
	return m.Root(0)[0], nil
}

// PrefersBatch implements infer.Many: nothing is evaluated together.
func (e *jointEvaluator) PrefersBatch(int) bool { return false }

// LogDensityMany evaluates one point after the other: the embedded evaluator's takes no
// discrete parameters.
func (e *jointEvaluator) LogDensityMany(q [][]float64, lp []float64, err []error) {
	for i := range q {
		lp[i], err[i] = e.LogDensity(q[i])
	}
}

// LogDensityGradMany is the same with gradients.
func (e *jointEvaluator) LogDensityGradMany(q, grad [][]float64, lp []float64, err []error) {
	for i := range q {
		lp[i], err[i] = e.LogDensityGrad(q[i], grad[i])
	}
}

// Write fills in a row with the discrete parameters as they are in q.
func (e *jointEvaluator) Write(q []float64, r *rand.Rand, out []float64) error {
	dim := e.model.dim
	if len(e.ranges) == 0 {
		return e.evaluator.Write(q, r, out)
	}
	drawn := make([]int, len(e.ranges))
	for i := range drawn {
		drawn[i] = int(q[dim+i])
	}
	return rowRecorder{e.model}.writePlain(q[:dim], drawn, r, out)
}

var _ infer.Mixed = (*jointEvaluator)(nil)

// plainJoint evaluates the log densities of prior, log Jacobian included, and likelihood
// where the discrete parameters have the values z. A nil grad is not filled; otherwise it
// becomes the gradient of prior + beta*likelihood by the continuous coordinates q. It needs no tables over the discrete
// parameters, and serves where one would be too large; everything is evaluated from scratch, which is slower than what is compiled.
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
	if err := runModel(m.Model, em, nil); err != nil {
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
