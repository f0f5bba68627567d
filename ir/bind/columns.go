// The columns of a draw: names, and where their numbers lie.

package bind

import (
	"fmt"
	"strings"

	"github.com/seed-12b88e03/ppl/ir/bind/trace"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/ir/eval"
	"github.com/seed-12b88e03/ppl/lang/types"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// A column is a variable that draws report, with the shape of its value.
type column struct {
	v     *ir.Var
	shape *eval.Shape
}

// columnNumbers is the memory of the name of a column while names are made, in numbers.
const columnNumbers = 13

func (m binder) addColumns(v *ir.Var, s *eval.Shape) error {
	numbers := 1.0
	for _, n := range s.Dims {
		numbers *= float64(n)
	}
	if err := stdlib.CheckMemory(columnNumbers * numbers); err != nil {
		return fmt.Errorf("the %.3g columns of %s: %w", numbers, v.Name, err)
	}
	m.columns = append(m.columns, column{v, s})
	appendVarNames(&m.names, v, s)
	return nil
}

// outputColumns adds transformed parameters and generated quantities.
func (m binder) outputColumns(em *eval.Machine) error {
	for _, p := range []*ir.Piece{&m.prog.TransformedParameters, &m.prog.GeneratedQuantities} {
		for _, v := range p.Vars {
			s, err := em.Shape(v)
			if err != nil {
				return err
			}
			if err := m.addColumns(v, s); err != nil {
				return err
			}
		}
	}
	return nil
}

// Columns are the names of the numbers of a draw, in the form "theta.1.2": indices
// joined by dots, first index fastest, tuple fields by a colon.
func (m *Model) Columns() []string { return m.names }

// appendVarNames is appendNames for a variable, whose numbers may be parts of another one.
func appendVarNames(names *[]string, v *ir.Var, s *eval.Shape) {
	for _, part := range v.Part {
		*names = append(*names, strings.NewReplacer("[", ".", ",", ".", "]", "").Replace(part))
	}
	if v.Part == nil {
		appendNames(names, v.Name, s)
	}
}

// appendNames lists the names of a variable's numbers.
func appendNames(names *[]string, name string, s *eval.Shape) {
	if s.Type.Base == types.TupleBase {
		for _, at := range columnMajor(s.Dims) {
			for k, f := range s.Fields {
				appendNames(names, fmt.Sprintf("%s%s:%d", name, suffix(at), k+1), f)
			}
		}
		return
	}
	for _, at := range columnMajor(s.Dims) {
		n := name + suffix(at)
		if s.Type.Base.IsComplex() {
			*names = append(*names, n+".real", n+".imag")
			continue
		}
		*names = append(*names, n)
	}
}

func suffix(index []int) string {
	var b strings.Builder
	for _, i := range index {
		fmt.Fprintf(&b, ".%d", i+1)
	}
	return b.String()
}

// columnMajor lists all indices (from 0) of a container, first index fastest.
func columnMajor(dims []int) [][]int {
	n := 1
	for _, d := range dims {
		n *= d
	}
	out := make([][]int, n)
	for i := range out {
		at := make([]int, len(dims))
		rest := i
		for k, d := range dims {
			at[k] = rest % d
			rest /= d
		}
		out[i] = at
	}
	return out
}

// order lists the positions in storage of a container's elements, first index
// fastest.
func order(t types.Type, dims []int) []int {
	step := make([]int, len(dims))
	size := 1
	for k := t.Dims; k < len(dims); k++ {
		step[k] = size
		size *= dims[k]
	}
	for k := t.Dims - 1; k >= 0; k-- {
		step[k] = size
		size *= dims[k]
	}
	var out []int
	for _, at := range columnMajor(dims) {
		pos := 0
		for k, i := range at {
			pos += i * step[k]
		}
		out = append(out, pos)
	}
	return out
}

// eachNumber visits the numbers of a value in the order of its columns.
func eachNumber(v *eval.Value, visit func(v *eval.Value, i int)) {
	if len(v.Dims) <= 1 && v.T.Base != types.TupleBase && !v.T.Base.IsComplex() {
		for i := range v.X {
			visit(v, i)
		}
		return
	}
	positions := order(v.T, v.Dims)
	if v.T.Base == types.TupleBase {
		for _, p := range positions {
			e := v
			if v.T.Dims > 0 {
				e = v.Elems[p]
			}
			for _, f := range e.Fields {
				eachNumber(f, visit)
			}
		}
		return
	}
	for _, p := range positions {
		if v.T.Base.IsComplex() {
			visit(v, 2*p)
			visit(v, 2*p+1)
			continue
		}
		visit(v, p)
	}
}

// columnsOf writes the generated quantities' columns, or all the others, and returns
// how many numbers that were.
func (m *Model) columnsOf(em *eval.Machine, out []float64, generated bool) int {
	n := 0
	for _, c := range m.columns {
		if (c.v.Kind == ir.Generated) != generated {
			continue
		}
		eachNumber(em.Get(c.v), func(v *eval.Value, i int) {
			out[n] = v.X[i]
			n++
		})
	}
	return n
}

// rowNode is the node of all columns.
func (m rowRecorder) rowNode(r *trace.Recorder, em *eval.Machine) autodiff.Node {
	var refs []autodiff.Ref
	for _, c := range m.columns {
		eachNumber(em.Get(c.v), func(v *eval.Value, i int) {
			ref := v.Ref(i)
			if ref.Node == autodiff.None {
				ref = autodiff.Ref{Node: r.Graph.Scalar(v.X[i])}
			}
			refs = append(refs, ref)
		})
	}
	if len(refs) == 0 {
		return r.Graph.Const(nil)
	}
	return r.Graph.Gather(refs)
}
