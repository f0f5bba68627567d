// Unconstrained points of incomplete and of rounded parameter values, as files of other
// programs hold them.

package bind

import (
	"fmt"
	"math"
	"slices"

	"github.com/seed-12b88e03/ppl/ir/bind/trace"

	"github.com/seed-12b88e03/ppl/ir/data"
	"github.com/seed-12b88e03/ppl/ir/eval"
	"github.com/seed-12b88e03/ppl/lang/types"
)

// UnconstrainPart is Unconstrain for a set that may lack parameters. The coordinates of
// those, and of parameters whose bounds depend on them, are NaN.
func (m *Model) UnconstrainPart(in *data.Set) ([]float64, error) {
	em := m.machine()
	q := make([]float64, 0, m.dim)
	for i := range m.params {
		p := &m.params[i]
		if in.Vars[p.Var.Name] == nil || m.undefinedBounds(em, p.Shape) {
			em.Set(p.Var, eval.Undefined(p.Shape))
			q = append(q, slices.Repeat([]float64{math.NaN()}, p.Free)...)
			continue
		}
		x, err := convert(in, p.Var, p.Shape)
		if err != nil {
			return nil, err
		}
		em.Set(p.Var, x)
		if q, err = m.unconstrain(em, p.Var.Name, p.Shape, x, q); err != nil {
			return nil, err
		}
	}
	return q, nil
}

// UnconstrainDiscrete returns the values of the discrete parameters by name, for a point of Joint behind the others.
// A value that is missing, no integer or out of range is an error.
func (m *Model) UnconstrainDiscrete(in *data.Set) ([]float64, error) {
	var out []float64
	for _, d := range m.discrete {
		x, err := convert(in, d.Var, d.Shape)
		if err != nil {
			return nil, err
		}
		if out, err = appendDiscrete(out, d, x.X); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// DiscreteRow is UnconstrainDiscrete of values in the order of ParameterColumns.
func (m *Model) DiscreteRow(values []float64) ([]float64, error) {
	given, err := rowRecorder{m}.setGiven(m.machine(), values)
	if err != nil {
		return nil, err
	}
	var out []float64
	for _, d := range m.discrete {
		if out, err = appendDiscrete(out, d, given[d.Var].X); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// appendDiscrete appends the values of a discrete parameter, which must be whole numbers in its range.
func appendDiscrete(out []float64, d trace.Discrete, x []float64) ([]float64, error) {
	for i, v := range x {
		name := trace.NumberName(d.Var, d.Shape.Dims, i)
		if v != math.Trunc(v) {
			return nil, fmt.Errorf("%s is %v, but must be a whole number", name, v)
		}
		if v < float64(d.Low[i]) || v > float64(d.High[i]) {
			return nil, fmt.Errorf("%s is %v, but must be between %d and %d", name, v, d.Low[i], d.High[i])
		}
	}
	return append(out, x...), nil
}

// undefinedBounds reports whether a bound depends on a parameter without value.
func (m *Model) undefinedBounds(em *eval.Machine, s *eval.Shape) bool {
	if s.Type.Base == types.TupleBase {
		return slices.ContainsFunc(s.Fields, func(f *eval.Shape) bool { return m.undefinedBounds(em, f) })
	}
	// An error here is met again where it is reported: when the values are read.
	l, err := trace.NewLeaf(m.lib, s)
	if err != nil || l.Transform == nil {
		return false
	}
	r := trace.Reader{Machine: em, Lib: m.lib}
	args, err := r.Bounds(s)
	return err == nil && slices.ContainsFunc(args, func(v *eval.Value) bool { return slices.ContainsFunc(v.X, math.IsNaN) })
}

// UnconstrainRow returns the unconstrained point of values in the order of ParameterColumns,
// which may be rounded, as in files. A value that violates the parameter's declaration is
// an *eval.Error.
func (m *Model) UnconstrainRow(values []float64) ([]float64, error) {
	em := m.machine()
	given, err := rowRecorder{m}.setGiven(em, values)
	if err != nil {
		return nil, err
	}
	q := make([]float64, 0, m.dim)
	for i := range m.params {
		p := &m.params[i]
		if q, err = m.unconstrain(em, p.Var.Name, p.Shape, given[p.Var], q); err != nil {
			return nil, err
		}
	}
	return q, nil
}
