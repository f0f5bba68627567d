// Random data for any program: values that satisfy the declared sizes and
// constraints, so that programs with a data block can be run without a file.

package bind_test

import (
	"math/rand/v2"
	"strconv"

	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/ir/data"
	"github.com/seed-12b88e03/ppl/ir/eval"
	"github.com/seed-12b88e03/ppl/lang/types"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// A dataMaker draws the data variables in their order, later ones knowing earlier
// ones: single integers (sizes, mostly) between least and most where their bounds let them.
type dataMaker struct {
	m           *eval.Machine
	lib         *stdlib.Library
	r           *rand.Rand
	least, most int
}

// randomData draws data whose sizes are 2 to 4.
func randomData(p *ir.Program, lib *stdlib.Library, r *rand.Rand) (*data.Set, error) {
	return randomDataOfSizes(p, lib, r, 2, 4)
}

// randomDataOfSizes draws data whose sizes are least to most.
func randomDataOfSizes(p *ir.Program, lib *stdlib.Library, r *rand.Rand, least, most int) (*data.Set, error) {
	g := &dataMaker{m: eval.NewMachine(p), lib: lib, r: r, least: least, most: most}
	set := &data.Set{Vars: map[string]*data.Value{}}
	for _, v := range p.Data {
		s, err := g.m.Shape(v)
		if err != nil {
			return nil, err
		}
		x, err := g.value(s)
		if err != nil {
			return nil, err
		}
		g.m.Set(v, x)
		set.Vars[v.Name] = asData(v.Name, x)
	}
	return set, nil
}

func (g *dataMaker) value(s *eval.Shape) (*eval.Value, error) {
	switch {
	case s.Type.Base == types.TupleBase && s.Type.Dims == 0:
		v := eval.NewValue(s.Type, nil, nil)
		for _, f := range s.Fields {
			x, err := g.value(f)
			if err != nil {
				return nil, err
			}
			v.Fields = append(v.Fields, x)
		}
		return v, nil
	case s.Type.Base == types.TupleBase:
		v := eval.NewValue(s.Type, s.Dims, nil)
		elem := *s
		elem.Type, elem.Dims = types.TupleOf(s.Type.Fields...), nil
		for range product(s.Dims) {
			x, err := g.value(&elem)
			if err != nil {
				return nil, err
			}
			v.Elems = append(v.Elems, x)
		}
		return v, nil
	}
	bounds, err := g.bounds(s.Decl.Constraint)
	if err != nil {
		return nil, err
	}
	if s.Type.Base == types.IntBase {
		return g.ints(s, bounds), nil
	}
	return g.reals(s, bounds)
}

func (g *dataMaker) bounds(c *ir.Constraint) ([][]float64, error) {
	if c == nil {
		return nil, nil
	}
	out := make([][]float64, len(c.Args))
	for i, x := range c.Args {
		v, err := g.m.Eval(x)
		if err != nil {
			return nil, err
		}
		out[i] = v.X
	}
	return out, nil
}

// ints draws integers: uniform between both bounds, or a few above the lower one.
func (g *dataMaker) ints(s *eval.Shape, bounds [][]float64) *eval.Value {
	v := eval.NewValue(s.Type, s.Dims, make([]float64, product(s.Dims)))
	for i := range v.X {
		lo, hi := 0, 3
		if len(s.Dims) == 0 {
			lo, hi = g.least, g.most
		}
		at := func(b []float64) int { return int(b[min(i, len(b)-1)]) }
		switch c := s.Decl.Constraint; {
		case c == nil:
		case c.Name == "lower_upper":
			lo, hi = at(bounds[0]), at(bounds[1])
		case c.Name == "lower":
			lo = max(lo, at(bounds[0]))
			hi = max(hi, lo+2)
		case c.Name == "upper":
			hi = min(hi, at(bounds[0]))
			lo = min(lo, hi)
		}
		v.X[i] = float64(lo + g.r.IntN(hi-lo+1))
	}
	return v
}

// reals draws free numbers and constrains them as parameters are.
func (g *dataMaker) reals(s *eval.Shape, bounds [][]float64) (*eval.Value, error) {
	inner := s.Dims[s.Type.Dims:]
	size := product(inner)
	if s.Type.Base.IsComplex() {
		size *= 2
	}
	v := eval.NewValue(s.Type, s.Dims, nil)
	for range product(s.Dims[:s.Type.Dims]) {
		if s.Decl.Constraint == nil {
			v.X = append(v.X, g.normals(size)...)
			continue
		}
		tr := g.lib.Transform(s.Decl.Constraint.Name)
		free, err := tr.Free(inner)
		if err != nil {
			return nil, err
		}
		x := make([]float64, size)
		var work []float64
		if tr.Work != nil {
			work = make([]float64, tr.Work(inner))
		}
		if _, err := tr.Constrain(inner, g.normals(free), bounds, x, work); err != nil {
			return nil, err
		}
		v.X = append(v.X, x...)
	}
	return v, nil
}

func (g *dataMaker) normals(n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = g.r.NormFloat64()
	}
	return x
}

func product(dims []int) int {
	n := 1
	for _, d := range dims {
		n *= d
	}
	return n
}

// asData brings a value into the form of a data file, matrices by rows.
func asData(name string, v *eval.Value) *data.Value {
	out := &data.Value{Name: name, Dims: v.Dims, Ints: v.T.Base == types.IntBase, FirstReal: -1}
	switch {
	case v.Fields != nil:
		out.Fields = map[string]*data.Value{}
		for i, f := range v.Fields {
			key := strconv.Itoa(i + 1)
			out.Fields[key] = asData(key, f)
		}
	case v.T.Base == types.TupleBase:
		out.Elems = []*data.Value{}
		for _, e := range v.Elems {
			out.Elems = append(out.Elems, asData(name, e))
		}
	case v.T.Base.BaseRank() == 2:
		rows, cols, unit := v.Dims[len(v.Dims)-2], v.Dims[len(v.Dims)-1], 1
		if v.T.Base.IsComplex() {
			unit = 2
		}
		for m := 0; m+rows*cols*unit <= len(v.X) && rows*cols > 0; m += rows * cols * unit {
			for i := range rows {
				for j := range cols {
					at := m + (i+j*rows)*unit
					out.X = append(out.X, v.X[at:at+unit]...)
				}
			}
		}
	default:
		out.X = v.X
	}
	if v.T.Base.IsComplex() {
		out.Dims = append(append([]int(nil), v.Dims...), 2)
	}
	if !out.Ints && len(out.X) > 0 {
		out.FirstReal = 0
	}
	return out
}
