// Declared constraints of data, transformed data, transformed parameters and
// generated quantities.

package trace

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/ir/eval"
	"github.com/seed-12b88e03/ppl/lang/types"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// Validate checks a variable's value against its declaration; with a recorder the
// check becomes part of the program.
func Validate(m *eval.Machine, lib *stdlib.Library, rec *Recorder, v *ir.Var, name string, d *ir.Shape, x *eval.Value) error {
	if d.Type.Base == types.TupleBase {
		return validateTuple(m, lib, rec, v, name, d, x)
	}
	c := d.Constraint
	if c == nil || c.Name == "offset_multiplier" {
		return nil
	}
	if err := x.Compute(); err != nil {
		return err
	}
	tr := lib.Transform(c.Name)
	var args []*eval.Value
	var bounds [][]float64
	for _, e := range c.Args {
		a, err := m.Eval(e)
		if err != nil {
			return err
		}
		args = append(args, a)
		bounds = append(bounds, a.X)
	}
	if tr.Elementwise {
		return check(rec, tr, v, name, x.Dims, x, args, bounds)
	}
	for i, e := range elements(x) {
		if err := check(rec, tr, v, ElementName(name, x.Dims[:d.Type.Dims], i), e.Dims, e, args, bounds); err != nil {
			return err
		}
	}
	return nil
}

func validateTuple(m *eval.Machine, lib *stdlib.Library, rec *Recorder, v *ir.Var, name string, d *ir.Shape, x *eval.Value) error {
	list := []*eval.Value{x}
	if d.Type.Dims > 0 {
		list = x.Elems
	}
	for i, e := range list {
		at := ElementName(name, x.Dims, i)
		for k, f := range d.Fields {
			if err := Validate(m, lib, rec, v, fmt.Sprintf("%s.%d", at, k+1), f, e.Fields[k]); err != nil {
				return err
			}
		}
	}
	return nil
}

func check(rec *Recorder, tr *stdlib.Transform, v *ir.Var, name string, dims []int, x *eval.Value, args []*eval.Value, bounds [][]float64) error {
	if err := tr.Check(dims, x.X, bounds); err != nil {
		return &eval.Error{Span: v.Loc, Text: violation(name, tr, err), Reject: true}
	}
	active := func(v *eval.Value) bool { return v.Active() }
	if rec != nil && len(x.X) > 0 && (x.Active() || slices.ContainsFunc(args, active)) {
		c := &validation{at: v.Loc, name: name, tr: tr, dims: dims, args: len(args)}
		in := append([]autodiff.Node{rec.Node(x)}, rec.Nodes(args)...)
		rec.Effects = append(rec.Effects, rec.Graph.Opaque(c, 0, in...))
	}
	return nil
}

// violation reports which number of a variable breaks which constraint.
func violation(name string, tr *stdlib.Transform, err error) string {
	return fmt.Sprintf("%s%v (constraint: %s)", name, err, strings.ReplaceAll(tr.Name, "lower_upper", "lower, upper"))
}

// elements takes an array apart into its elements of the base type.
func elements(x *eval.Value) []*eval.Value {
	t := x.T
	n, size := 1, 1
	for i, d := range x.Dims {
		if i < t.Dims {
			n *= d
		} else {
			size *= d
		}
	}
	inner := t
	inner.Dims = 0
	out := make([]*eval.Value, n)
	for i := range out {
		e := eval.NewValue(inner, x.Dims[t.Dims:], x.X[i*size:(i+1)*size])
		if x.Active() {
			e.Refs = make([]autodiff.Ref, size)
			for k := range size {
				e.Refs[k] = x.Ref(i*size + k)
			}
		}
		out[i] = e
	}
	return out
}

// NumberName is ElementName of a number of a variable, which may be part of another one.
func NumberName(v *ir.Var, dims []int, i int) string {
	if v.Part != nil {
		return v.Part[i]
	}
	return ElementName(v.Name, dims, i)
}

// ElementName writes the indices of element i of an array after its name.
func ElementName(name string, dims []int, i int) string {
	if len(dims) == 0 {
		return name
	}
	idx := make([]int, len(dims))
	for k := len(dims) - 1; k >= 0; k-- {
		idx[k] = i%dims[k] + 1
		i /= dims[k]
	}
	text := ""
	for k, j := range idx {
		if k > 0 {
			text += ","
		}
		text += fmt.Sprint(j)
	}
	return name + "[" + text + "]"
}
