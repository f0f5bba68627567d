// Generated quantities and observations from parameter values as draws report them.

package bind

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/seed-12b88e03/ppl/ir/bind/trace"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/ir/eval"
	"github.com/seed-12b88e03/ppl/lang/types"
)

// ParameterColumns are those of Columns that are parameters', discrete ones included.
// They come first.
func (m *Model) ParameterColumns() []string {
	n := 0
	for _, c := range m.columns {
		if c.v.Kind == ir.Parameter {
			eachNumber(eval.Undefined(c.shape), func(*eval.Value, int) { n++ })
		}
	}
	return m.names[:n]
}

// ParameterRow fills out, which has the length of ParameterColumns, at an unconstrained
// point: of this model, where discrete parameters are NaN, or of Joint, where they follow the
// others. Transformed parameters and generated quantities are not computed.
func (m *Model) ParameterRow(q, out []float64) error {
	em := m.machine()
	if err := m.setContinuous(em, trace.Point(q[:m.dim], autodiff.None)); err != nil {
		return err
	}
	drawn := make([]int, m.numbers())
	for i := range drawn {
		if len(q) > m.dim {
			drawn[i] = int(q[m.dim+i])
		}
	}
	m.setDrawn(em, drawn)
	n := 0
	for _, c := range m.columns {
		if c.v.Kind != ir.Parameter {
			continue
		}
		missing := len(q) == m.dim && slices.ContainsFunc(m.discrete, func(d trace.Discrete) bool { return d.Var == c.v })
		eachNumber(em.Get(c.v), func(v *eval.Value, i int) {
			if out[n] = v.X[i]; missing {
				out[n] = math.NaN()
			}
			n++
		})
	}
	return nil
}

// Quantities are those of Columns that are generated quantities'. They come last.
func (m *Model) Quantities() []string {
	n := 0
	for _, c := range m.columns {
		if c.v.Kind == ir.Generated {
			eachNumber(eval.Undefined(c.shape), func(*eval.Value, int) { n++ })
		}
	}
	return m.names[len(m.names)-n:]
}

// Scope makes an evaluator for expressions over the program's variables: it knows data
// and transformed data and, where values of ParameterColumns are given, parameters and
// transformed parameters; generated asks for generated quantities, too.
func (m *Model) Scope(r *rand.Rand, values []float64, generated bool) (*eval.Machine, error) {
	em := m.machine()
	em.Rand = r
	if values == nil {
		return em, nil
	}
	if _, err := (rowRecorder{m}).setGiven(em, values); err != nil {
		return nil, err
	}
	if err := m.transformParameters(em, nil); err != nil || !generated {
		return em, err
	}
	return em, rowRecorder{m}.generate(em, nil)
}

// A GivenError says that a given value violates the declaration of its parameter.
type GivenError struct {
	Name string // of the parameter
	Err  *eval.Error
}

func (e *GivenError) Error() string { return e.Err.Error() }

// Unwrap returns the error with its place in the program.
func (e *GivenError) Unwrap() error { return e.Err }

// SimulateGiven draws observations given the values of ParameterColumns. Point of the
// result is nil.
func (m *Model) SimulateGiven(r *rand.Rand, values []float64) (*Simulated, error) {
	if m.gaps.written != nil {
		return simulation{m}.whole(r, false, func(w *Model) (*Simulated, error) { return w.SimulateGiven(r, values[:len(w.ParameterColumns())]) })
	}
	given, err := rowRecorder{m}.setGiven(m.machine(), values)
	if err != nil {
		return nil, err
	}
	return simulation{m}.dataOf(r, given)
}

// setGiven sets an evaluator's parameters to values in the order of the columns.
func (m rowRecorder) setGiven(em *eval.Machine, values []float64) (map[*ir.Var]*eval.Value, error) {
	given := map[*ir.Var]*eval.Value{}
	for _, c := range m.columns {
		if c.v.Kind != ir.Parameter {
			continue
		}
		x := eval.Undefined(c.shape)
		eachNumber(x, func(v *eval.Value, i int) {
			v.X[i], values = values[0], values[1:]
		})
		em.Set(c.v, x)
		if err := m.restore(em, c.v.Name, c.shape, x); err != nil {
			return nil, &GivenError{Name: c.v.Name, Err: &eval.Error{Span: c.v.Loc, Text: err.Error()}}
		}
		given[c.v] = x
	}
	return given, nil
}

// restore puts a rounded value back on its constraint, and checks it.
func (m rowRecorder) restore(em *eval.Machine, name string, s *eval.Shape, x *eval.Value) error {
	if s.Type.Base == types.TupleBase {
		list := []*eval.Value{x}
		if s.Type.Dims > 0 {
			list = x.Elems
		}
		for i, e := range list {
			for k, f := range s.Fields {
				if err := m.restore(em, fmt.Sprintf("%s.%d", trace.ElementName(name, x.Dims, i), k+1), f, e.Fields[k]); err != nil {
					return err
				}
			}
		}
		return nil
	}
	l, err := trace.NewLeaf(m.lib, s)
	if err != nil || l.Transform == nil {
		return err
	}
	r := trace.Reader{Machine: em, Lib: m.lib}
	args, err := r.Bounds(s)
	if err != nil {
		return err
	}
	bounds := make([][]float64, len(args))
	for i, a := range args {
		bounds[i] = a.X
	}
	for i := range l.Outer {
		part := x.X[i*l.Size : (i+1)*l.Size]
		project(l.Transform.Name, l.Inner, part, bounds)
		if err := l.Transform.Check(l.Inner, part, bounds); err != nil {
			return fmt.Errorf("%s%w", l.Part(name, i), err)
		}
	}
	return nil
}

// Numbers returns the columns of named values, such as observations, and their numbers.
func Numbers(values []Named) (names []string, x []float64) {
	for _, n := range values {
		appendVarNames(&names, n.Var, shapeOf(n.Value))
		x = append(x, NumbersOf(n)...)
	}
	return names, x
}

// NumbersOf are those of one named value, in the order of its columns.
func NumbersOf(n Named) (x []float64) {
	eachNumber(n.Value, func(v *eval.Value, i int) { x = append(x, v.X[i]) })
	return x
}

// shapeOf is the shape of a value, without its declaration.
func shapeOf(v *eval.Value) *eval.Shape {
	s := &eval.Shape{Type: v.T, Dims: v.Dims}
	e := v
	if len(v.Elems) > 0 {
		e = v.Elems[0]
	}
	for _, f := range e.Fields {
		s.Fields = append(s.Fields, shapeOf(f))
	}
	return s
}

// Data returns the values of the data, those that the model has a distribution for apart
// from the others. Observed transformed data are among the first.
func (m *Model) Data() (observed, constant []Named) {
	for _, b := range m.known {
		switch {
		case m.observed[b.v]:
			observed = append(observed, Named{b.v, b.x})
		case b.v.Kind == ir.Datum:
			constant = append(constant, Named{b.v, b.x})
		}
	}
	return observed, constant
}
