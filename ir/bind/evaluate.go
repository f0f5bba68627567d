// Expressions evaluated at parameters, discrete ones included.

package bind

import (
	"fmt"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/ir/eval"
)

// Evaluate returns the numbers of expressions over data and parameters at a row of values,
// which begins with those of ParameterColumns.
func (m *Model) Evaluate(exprs []ir.Expr, row []float64) ([][]float64, error) {
	if n := len(m.ParameterColumns()); len(row) < n {
		return nil, fmt.Errorf("a row has %d numbers, and the parameters have %d", len(row), n)
	}
	em := m.machine()
	em.Print = nil
	m.setRow(em, row)
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

// setRow sets all parameters to the values that a row begins with.
func (m *Model) setRow(em *eval.Machine, row []float64) {
	for _, c := range m.columns {
		if c.v.Kind != ir.Parameter {
			continue
		}
		x := eval.Undefined(c.shape)
		eachNumber(x, func(v *eval.Value, i int) { v.X[i], row = row[0], row[1:] })
		em.Set(c.v, x)
	}
}

// Whole implements infer.Completed.
func (m *Model) Whole() infer.Simulator { return &joint{m} }

// Complete implements infer.Completed.
func (m *Model) Complete(q, row []float64) []float64 {
	if len(m.discrete) == 0 || len(q) > m.dim {
		return q
	}
	em := m.machine()
	m.setRow(em, row)
	whole := append(make([]float64, 0, m.dim+m.numbers()), q...)
	for _, d := range m.discrete {
		whole = append(whole, em.Get(d.Var).X...)
	}
	return whole
}

var _ infer.Completed = (*Model)(nil)
