// The likelihood's terms as a program for batches of one size.
//
// Where all terms are the elements of one vector, the model is recorded again with some rows of
// the data, which are runtime constants: the program is as quick as that of a model
// with so few observations, and runs for any batch.

package bind

import (
	"slices"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/ir/bind/trace"
	"github.com/seed-12b88e03/ppl/ir/eval"
	"github.com/seed-12b88e03/ppl/lang/types"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// A rowsProgram computes, as its roots, the log density by a batch and its gradient.
type rowsProgram struct {
	*autodiff.Program
	slicer *autodiff.Slicer
}

// A rowsRecorder makes rows of recorded calls.
type rowsRecorder struct {
	*trace.Recorder
	*autodiff.Slicer
	n, size int
}

// rows makes the program for batches of a size; nil where terms are not rows, as far as is known.
func (t *termsRecording) rows(m *Model, size int) *rowsProgram {
	n := t.selection.Len()
	r := &rowsRecorder{Recorder: m.newRecorder(m.dim), n: n, size: size}
	r.Slicer = autodiff.NewSlicer(t.rec.Graph, r.Graph, n, size)
	r.Call = r.call
	sum, ok := r.sum(t)
	if !ok {
		return nil
	}
	g := r.Graph
	lp := g.Map(autodiff.Add, 1, r.Slicer.Node(t.lp), g.Map(autodiff.Mul, 1, g.Scalar(float64(n)/float64(size)), sum))
	if !r.DischargeObligations(autodiff.RootsTestedForNonFinite, lp) {
		return nil
	}
	r.Effects = append(r.Effects, r.Slicer.Nodes(t.rec.Effects)...)
	return &rowsProgram{autodiff.Compile(g, []autodiff.Node{lp, autodiff.Gradient(g, lp)}, r.Effects), r.Slicer}
}

// sum adds up the terms of a batch.
func (r *rowsRecorder) sum(t *termsRecording) (autodiff.Node, bool) {
	if fn, in := t.rec.Graph.Function(t.whole); fn != nil {
		if s, ok := fn.(*splitCall); ok {
			return r.density(s, in)
		}
	}
	terms, ok := r.Slicer.Rows(t.whole, autodiff.Rows{Step: 1, Cols: 1})
	if !ok || r.Graph.Len(terms) != r.size {
		return autodiff.None, false
	}
	return r.Graph.Sum(terms), true
}

// density is a density of the observations of a batch.
func (r *rowsRecorder) density(s *splitCall, in []autodiff.Node) (autodiff.Node, bool) {
	args := make([]*eval.Value, len(s.Args))
	for k, t := range s.Args {
		share := s.shares[k]
		a := argument{t, s.types[k], t.Dims, autodiff.Rows{Step: share.stride, Cols: share.n, Stride: share.step}}
		if share.stride == 0 {
			a.rows = autodiff.Rows{}
		} else if len(share.dims) == 0 || len(t.Dims) > 0 && share.step == 1 && t.Rank.Array == 0 {
			a.dims = []int{r.size}
		} else {
			a.dims = append([]int{r.size}, t.Dims[1:]...)
		}
		if t.Rank.Array > 0 && share.n > 1 {
			return autodiff.None, false // members of arrays lie one after the other
		}
		var ok bool
		if args[k], ok = r.value(a, slices.Index(s.Active, k), in); !ok {
			return autodiff.None, false
		}
	}
	out := eval.NewValue(types.Real, nil, []float64{0})
	return r.Kernel(s.At(), s.Fn, args, out), true
}

// An argument of a call, with what a row takes of it; nothing of what is the same for all rows.
type argument struct {
	stdlib.Tensor
	t    types.Type
	dims []int // of a batch
	rows autodiff.Rows
}

// value makes an argument again; it is number active of the nodes, or constant where that is negative.
func (r *rowsRecorder) value(a argument, active int, in []autodiff.Node) (*eval.Value, bool) {
	if a.rows.Cols == 0 {
		v := eval.NewValue(a.t, a.Dims, a.X)
		if active >= 0 {
			v.Node = r.Slicer.Node(in[active])
		}
		return v, true
	}
	x := make([]float64, 0, r.size*a.rows.Cols)
	for c := range a.rows.Cols {
		for b := range r.size {
			x = append(x, a.X[a.rows.Off+b%r.n*a.rows.Step+c*a.rows.Stride])
		}
	}
	v := eval.NewValue(a.t, a.dims, x)
	if active < 0 {
		v.Node = r.Constant(a.X, a.rows)
		return v, true
	}
	ok := false
	v.Node, ok = r.Slicer.Rows(in[active], a.rows)
	return v, ok && r.Graph.Len(v.Node) == len(x)
}

// call makes rows of a product of matrices; other functions are computed as a whole, unless they are
// piece by piece.
func (r *rowsRecorder) call(fn autodiff.Opaque, in []autodiff.Node, at autodiff.Rows) (autodiff.Node, bool) {
	if _, ok := fn.(autodiff.PerOutput); ok {
		return autodiff.None, false
	}
	k, ok := fn.(*trace.KernelCall)
	if !ok || k.Fn.Name != "multiply" || len(k.Args[0].Dims) != 2 || len(k.Args[1].Dims) != 2 {
		return autodiff.None, true
	}
	a, b := k.Args[0], k.Args[1]
	rows, inner, cols := a.Dims[0], a.Dims[1], b.Dims[1]
	if at.Stride != rows || at.Cols != cols || at.Off+(r.n-1)*at.Step >= rows {
		return autodiff.None, true
	}
	x, ok := r.value(argument{a, types.Matrix, []int{r.size, inner}, autodiff.Rows{Off: at.Off, Step: at.Step, Cols: inner, Stride: rows}}, slices.Index(k.Active, 0), in)
	if !ok {
		return autodiff.None, false
	}
	y, _ := r.value(argument{Tensor: b, t: types.Matrix}, slices.Index(k.Active, 1), in)
	out := eval.NewValue(types.Matrix, []int{r.size, cols}, make([]float64, r.size*cols))
	return r.Kernel(k.At(), k.Fn, []*eval.Value{x, y}, out), true
}

// A rowsMachine runs a rowsProgram in one goroutine.
type rowsMachine struct {
	*autodiff.Machine
	of    *rowsProgram
	terms []int // whose numbers it has
	given []float64
}

func (p *rowsProgram) machine() *rowsMachine {
	return &rowsMachine{Machine: p.NewMachine(), of: p, given: make([]float64, p.slicer.Constants())}
}

// run evaluates a batch at q.
func (r *rowsMachine) run(q []float64, terms []int) error {
	if !slices.Equal(r.terms, terms) {
		r.terms = append(r.terms[:0], terms...)
		r.of.slicer.Fill(terms, r.given)
		r.BindConstants(r.given)
	}
	return r.Run(q)
}
