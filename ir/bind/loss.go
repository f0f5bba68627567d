// Expressions over data and parameters as losses of the data.

package bind

import (
	"fmt"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/ir/eval"
)

// A Loss is the sum of an expression's numbers as a function of the unconstrained
// parameters. It belongs to one goroutine.
type Loss struct {
	dim           int
	coords        [][]int
	values, slope *runner
}

// NewLoss makes a loss of an expression over data, parameters and transformed
// parameters. The error is an *eval.Error with a place in the program.
func (m *Model) NewLoss(x ir.Expr) (*Loss, error) {
	if len(m.discrete) > 0 {
		return nil, &eval.Error{Span: x.Span(), Text: "a loss cannot be given as an expression in a model with discrete parameters"}
	}
	rec, refs, err := m.recordLoss(x, make([]float64, m.dim))
	if err != nil {
		return nil, err
	}
	l := &Loss{dim: m.dim}
	depends, active := rec.g.Dependence(), false
	for _, r := range refs {
		coords := wholeNumbers(depends.Of(r.Node, int(r.Elem)))
		if rec.guards > 0 {
			coords = span(0, m.dim)
		}
		active = active || len(coords) > 0
		l.coords = append(l.coords, coords)
	}
	if !active {
		return nil, &eval.Error{Span: x.Span(), Text: "the loss does not depend on the parameters"}
	}
	program := func(gradient bool) *runner {
		t := &traced{record: func(q []float64) (*autodiff.Program, error) {
			rec, refs, err := m.recordLoss(x, q)
			if err != nil {
				return nil, err
			}
			if len(refs) != len(l.coords) {
				return nil, &eval.Error{Span: x.Span(), Text: "the number of losses depends on parameters"}
			}
			all := rec.g.Gather(refs)
			roots := []autodiff.Node{all}
			if gradient {
				sum := rec.g.Sum(all)
				roots = []autodiff.Node{sum, rec.g.Gradient(sum)}
			}
			return rec.g.Compile(roots, rec.effects), nil
		}}
		return t.runner()
	}
	l.values, l.slope = program(false), program(true)
	return l, nil
}

// recordLoss records the expression at q and gives its numbers.
func (m *Model) recordLoss(x ir.Expr, q []float64) (*recorder, []autodiff.Ref, error) {
	rec := m.newRecorder(m.dim)
	em := m.recording(rec)
	em.Print = nil
	if err := m.setParameters(em, point(q, rec.g.Input())); err != nil {
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
			refs[i] = autodiff.Ref{Node: rec.g.Scalar(v.X[i])}
		}
	}
	return rec, refs, nil
}

// Coords are the coordinates that each number depends on, ascending. The caller must
// not change the slices.
func (l *Loss) Coords() [][]int { return l.coords }

// Terms fills out, of len(Coords()), with the numbers at q.
func (l *Loss) Terms(q, out []float64) error {
	m, err := l.values.run(q)
	if err != nil {
		return err
	}
	copy(out, m.Root(0))
	return nil
}

// Gradient returns their sum and fills grad with its gradient.
func (l *Loss) Gradient(q, grad []float64) (float64, error) {
	m, err := l.slope.run(q)
	if err != nil {
		return 0, err
	}
	copy(grad, m.Root(1))
	return m.Root(0)[0], nil
}
