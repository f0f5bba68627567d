// Expressions over data and parameters as losses of the data.

package bind

import (
	"fmt"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/ir/bind/trace"
	"github.com/seed-12b88e03/ppl/ir/eval"
)

// A Loss is the sum of an expression's numbers as a function of the unconstrained
// parameters. It belongs to one goroutine.
type Loss struct {
	dim           int
	coords        [][]int
	values, slope *trace.Runner
}

// NewLoss makes a loss of an expression over data, parameters and transformed
// parameters. The error is an *eval.Error with a place in the program.
func (m *Model) NewLoss(x ir.Expr) (*Loss, error) {
	if len(m.discrete) > 0 {
		return nil, &eval.Error{Span: x.Span(), Text: "a loss cannot be given as an expression in a model with discrete parameters"}
	}
	rec, refs, err := densityRecorder{m}.recordLoss(x, make([]float64, m.dim))
	if err != nil {
		return nil, err
	}
	l := &Loss{dim: m.dim}
	depends, active := rec.Graph.Dependence(), false
	for _, r := range refs {
		coords := wholeNumbers(depends.Of(r.Node, int(r.Elem)))
		if rec.Guards > 0 {
			coords = trace.Span(0, m.dim)
		}
		active = active || len(coords) > 0
		l.coords = append(l.coords, coords)
	}
	if !active {
		return nil, &eval.Error{Span: x.Span(), Text: "the loss does not depend on the parameters"}
	}
	program := func(gradient bool) *trace.Runner {
		t := &trace.Traced{Record: func(q []float64) (*autodiff.Program, error) {
			rec, refs, err := densityRecorder{m}.recordLoss(x, q)
			if err != nil {
				return nil, err
			}
			if len(refs) != len(l.coords) {
				return nil, &eval.Error{Span: x.Span(), Text: "the number of losses depends on parameters"}
			}
			all := rec.Graph.Gather(refs)
			roots := []autodiff.Node{all}
			if gradient {
				sum := rec.Graph.Sum(all)
				roots = []autodiff.Node{sum, autodiff.Gradient(rec.Graph, sum)}
			}
			return autodiff.Compile(rec.Graph, roots, rec.Effects), nil
		}}
		return t.Runner()
	}
	l.values, l.slope = program(false), program(true)
	return l, nil
}

// recordLoss records the expression at q and gives its numbers.
func (m densityRecorder) recordLoss(x ir.Expr, q []float64) (*trace.Recorder, []autodiff.Ref, error) {
	rec := m.newRecorder(m.dim)
	em := m.recording(rec)
	em.Print = nil
	if err := m.setParameters(em, trace.Point(q, rec.Graph.Input())); err != nil {
		return nil, nil, err
	}
	if err := m.transformParameters(em, rec); err != nil {
		return nil, nil, err
	}
	v, err := em.Eval(x)
	if err != nil {
		return nil, nil, err
	}
	if v.T.Base.IsComplex() {
		return nil, nil, &eval.Error{Span: x.Span(), Text: fmt.Sprintf("a loss must be a number or a container of numbers, found %s", v.T)}
	}
	refs := make([]autodiff.Ref, len(v.X))
	for i := range refs {
		if refs[i] = v.Ref(i); refs[i].Node == autodiff.None {
			refs[i] = autodiff.Ref{Node: rec.Graph.Scalar(v.X[i])}
		}
	}
	return rec, refs, nil
}

// Coords are the coordinates that each number depends on, ascending. The caller must
// not change the slices.
func (l *Loss) Coords() [][]int { return l.coords }

// Terms fills out, of len(Coords()), with the numbers at q.
func (l *Loss) Terms(q, out []float64) error {
	m, err := l.values.Run(q)
	if err != nil {
		return err
	}
	copy(out, m.Root(0))
	return nil
}

// Gradient returns their sum and fills grad with its gradient.
func (l *Loss) Gradient(q, grad []float64) (float64, error) {
	m, err := l.slope.Run(q)
	if err != nil {
		return 0, err
	}
	copy(grad, m.Root(1))
	return m.Root(0)[0], nil
}
