// Data to values, and constrained values to the unconstrained point.

package bind

import (
	"fmt"
	"strconv"

	"github.com/seed-12b88e03/ppl/ir/bind/trace"

	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/ir/data"
	"github.com/seed-12b88e03/ppl/ir/eval"
	"github.com/seed-12b88e03/ppl/lang/types"
)

// convert finds a variable in the data and gives it its declared type and sizes.
func convert(in *data.Set, v *ir.Var, s *eval.Shape) (*eval.Value, error) {
	if in == nil {
		in = &data.Set{}
	}
	return convertValue(in, in.Vars[v.Name], v.Name, s)
}

func convertValue(in *data.Set, raw *data.Value, name string, s *eval.Shape) (*eval.Value, error) {
	if s.Type.Base != types.TupleBase {
		x, err := in.Convert(raw, name, s.Type, s.Dims)
		if err != nil {
			return nil, err
		}
		return eval.NewValue(s.Type, s.Dims, x), nil
	}
	tuples, err := in.Tuples(raw, name, s.Type, s.Dims)
	if err != nil {
		return nil, err
	}
	out := eval.NewValue(s.Type, s.Dims, nil)
	for _, t := range tuples {
		e := eval.NewValue(types.TupleOf(s.Type.Fields...), nil, nil)
		for i, f := range s.Fields {
			key := strconv.Itoa(i + 1)
			x, err := convertValue(in, t.Fields[key], name+"."+key, f)
			if err != nil {
				return nil, err
			}
			e.Fields = append(e.Fields, x)
		}
		if s.Type.Dims == 0 {
			return e, nil
		}
		out.Elems = append(out.Elems, e)
	}
	return out, nil
}

// Unconstrain returns the unconstrained point of parameter values by name. A value
// that violates its constraint, or is missing, is an error.
func (m *Model) Unconstrain(in *data.Set) ([]float64, error) {
	em := m.machine()
	q := make([]float64, 0, m.dim)
	for i := range m.params {
		p := &m.params[i]
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

func (m *Model) unconstrain(em *eval.Machine, name string, s *eval.Shape, x *eval.Value, q []float64) ([]float64, error) {
	if s.Type.Base == types.TupleBase {
		list := []*eval.Value{x}
		if s.Type.Dims > 0 {
			list = x.Elems
		}
		var err error
		for i, e := range list {
			for k, f := range s.Fields {
				at := fmt.Sprintf("%s.%d", trace.ElementName(name, x.Dims, i), k+1)
				if q, err = m.unconstrain(em, at, f, e.Fields[k], q); err != nil {
					return nil, err
				}
			}
		}
		return q, nil
	}
	l, err := trace.NewLeaf(m.lib, s)
	if err != nil {
		return nil, err
	}
	if l.Transform == nil {
		return append(q, x.X...), nil
	}
	r := trace.Reader{Machine: em, Lib: m.lib}
	args, err := r.Bounds(s)
	if err != nil {
		return nil, err
	}
	bounds := make([][]float64, len(args))
	for i, a := range args {
		bounds[i] = a.X
	}
	for i := range l.Outer {
		free := make([]float64, l.Free)
		part := x.X[i*l.Size : (i+1)*l.Size]
		if err := l.Transform.Check(l.Inner, part, bounds); err != nil {
			return nil, fmt.Errorf("%s%w", l.Part(name, i), err)
		}
		if err := l.Transform.Unconstrain(l.Inner, part, bounds, free); err != nil {
			return nil, fmt.Errorf("%s: %w", l.Part(name, i), err)
		}
		q = append(q, free...)
	}
	return q, nil
}

// UnconstrainedNames names the unconstrained coordinates: the parameter's name and,
// where it has several, their number from 1, as in "theta.3".
func (m *Model) UnconstrainedNames() []string {
	var names []string
	for i := range m.params {
		p := &m.params[i]
		if p.Var.Part != nil {
			appendVarNames(&names, p.Var, p.Shape)
			continue
		}
		if p.Free == 1 && len(p.Shape.Dims) == 0 {
			names = append(names, p.Var.Name)
			continue
		}
		for k := range p.Free {
			names = append(names, fmt.Sprintf("%s.%d", p.Var.Name, k+1))
		}
	}
	return names
}
