// Expressions evaluated at parameters.

package bind

import (
	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/ir"
)

// Evaluate gives the numbers of expressions over data and parameters at a point.
func (m *Model) Evaluate(exprs []ir.Expr, q []float64) ([][]float64, error) {
	em := m.machine()
	em.Print = nil
	if err := m.setParameters(em, point(q, autodiff.None)); err != nil {
		return nil, err
	}
	if err := m.transformParameters(em, nil); err != nil {
		return nil, err
	}
	out := make([][]float64, len(exprs))
	for i, x := range exprs {
		v, err := em.Eval(x)
		if err != nil {
			return nil, err
		}
		out[i] = v.X
	}
	return out, nil
}
