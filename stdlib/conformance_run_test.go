// This file runs a catalogue row on tensors, as a caller would: value, gradient, errors.

package stdlib_test

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/seed-12b88e03/ppl/lang/types"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// A result is what a row gave.
type result struct {
	dims []int
	x    []float64
}

// selectRow finds the row that a call means, as the checker does.
func selectRow(l *stdlib.Library, c *vectorCase) (*stdlib.Function, types.Match) {
	args := make([]types.Arg, len(c.types))
	for i, t := range c.types {
		args[i] = types.Arg{Type: t, Data: t.Base == types.IntBase || strings.HasPrefix(c.Types[i], "data ")}
	}
	match, mis := types.Resolve(l.Signatures(c.Fn), args)
	if mis != nil {
		return nil, match
	}
	for i, want := range match.Params { // promote, as a caller does
		if want.Base.IsComplex() && !c.types[i].Base.IsComplex() {
			x := make([]float64, 2*len(c.args[i].X))
			for k, v := range c.args[i].X {
				x[2*k] = v
			}
			c.args[i].X = x
			c.types[i] = want
		}
	}
	return l.Row(match.Sig), match
}

// evaluate computes the value of a row.
func evaluate(f *stdlib.Function, in []stdlib.Tensor, width int) (result, error) {
	switch {
	case f.Op != nil:
		return evaluateOp(f, in)
	case f.Layout != nil:
		dims, from, err := f.Layout(in)
		if err != nil {
			return result{}, err
		}
		out := make([]float64, width*len(from))
		for k, ref := range from {
			if ref.Arg < 0 {
				continue
			}
			n := int(ref.Elem)
			copy(out[k*width:(k+1)*width], in[ref.Arg].X[n*width:(n+1)*width])
		}
		return result{dims: dims, x: out}, nil
	case f.Kernel != nil:
		dims, err := kernelDims(f.Kernel, in)
		if err != nil {
			return result{}, err
		}
		out := make([]float64, width*product(dims))
		return result{dims: dims, x: out}, f.Kernel.Value(in, out, scratch(f.Kernel, in))
	}
	return result{}, fmt.Errorf("row %s cannot be evaluated here", f.Name)
}

func kernelDims(k *stdlib.Kernel, in []stdlib.Tensor) ([]int, error) {
	if k.Dims == nil {
		return nil, nil
	}
	return k.Dims(in)
}

// scratch returns the kernel's work, filled with NaN to show what is read unwritten.
func scratch(k *stdlib.Kernel, in []stdlib.Tensor) []float64 {
	if k.Work == nil {
		return nil
	}
	w := make([]float64, k.Work(in))
	for i := range w {
		w[i] = math.NaN()
	}
	return w
}

// broadcast returns the sizes of an elementwise result.
func broadcast(in []stdlib.Tensor) (dims []int, n int, err error) {
	n = 1
	first := true
	for _, a := range in {
		if len(a.Dims) == 0 {
			continue
		}
		if first {
			dims, n, first = a.Dims, len(a.X), false
		} else if !slices.Equal(dims, a.Dims) {
			return nil, 0, fmt.Errorf("sizes %v and %v do not match", dims, a.Dims)
		}
	}
	return dims, n, nil
}

func elementOf(a stdlib.Tensor, i int) float64 {
	if len(a.Dims) == 0 {
		return a.X[0]
	}
	return a.X[i]
}

func evaluateOp(f *stdlib.Function, in []stdlib.Tensor) (result, error) {
	dims, n, err := broadcast(in)
	if err != nil {
		return result{}, err
	}
	out := make([]float64, n)
	x := make([]float64, len(in))
	for i := range out {
		for j, a := range in {
			x[j] = elementOf(a, i)
		}
		if f.Valid != nil {
			if err := f.Valid(x); err != nil {
				return result{}, err
			}
		}
		switch f.Op.Arity() {
		case 1:
			out[i] = f.Op.F1(x[0])
		case 2:
			out[i] = f.Op.F2(x[0], x[1])
		default:
			out[i] = f.Op.F3(x[0], x[1], x[2])
		}
	}
	return result{dims: dims, x: out}, nil
}

// differentiable reports whether a row has derivatives.
func differentiable(f *stdlib.Function) bool {
	switch {
	case f.Op != nil:
		return f.Op.Differentiable()
	case f.Kernel != nil:
		return f.Kernel.VJP != nil || f.Kernel.ValueGrad != nil
	}
	return f.Layout != nil
}

// gradients returns every way in which a row can compute the gradient of
// sum(adj*value); want says for which arguments.
func gradients(f *stdlib.Function, in []stdlib.Tensor, r result, adj []float64, want []bool) (map[string][][]float64, error) {
	newDin := func() [][]float64 {
		din := make([][]float64, len(in))
		for i := range in {
			if want[i] {
				din[i] = make([]float64, len(in[i].X))
			}
		}
		return din
	}
	all := map[string][][]float64{}
	switch {
	case f.Op != nil:
		din := newDin()
		opGradient(f, in, r, adj, din)
		all["D"] = din
	case f.Layout != nil:
		din := newDin()
		_, from, err := f.Layout(in)
		if err != nil {
			return nil, err
		}
		width := len(adj) / max(len(from), 1)
		for k, ref := range from {
			if ref.Arg < 0 || din[ref.Arg] == nil {
				continue
			}
			for part := range width { // of a complex number
				din[ref.Arg][int(ref.Elem)*width+part] += adj[k*width+part]
			}
		}
		all["Layout"] = din
	case f.Kernel != nil:
		if f.Kernel.VJP != nil {
			all["VJP"] = newDin()
			f.Kernel.VJP(in, r.x, adj, all["VJP"], scratch(f.Kernel, in))
		}
		if f.Kernel.ValueGrad != nil && len(r.x) == 1 && adj[0] == 1 {
			all["ValueGrad"] = newDin()
			v, err := f.Kernel.ValueGrad(in, all["ValueGrad"], scratch(f.Kernel, in))
			if err != nil {
				return nil, err
			}
			if !closeTo(v, r.x[0], 1e-11*math.Abs(r.x[0])+1e-13) {
				return nil, fmt.Errorf("ValueGrad gives the value %g, Value gives %g", v, r.x[0])
			}
		}
	}
	return all, nil
}

func opGradient(f *stdlib.Function, in []stdlib.Tensor, r result, adj []float64, din [][]float64) {
	add := func(j, i int, d float64) {
		if din[j] == nil {
			return
		}
		if len(in[j].Dims) == 0 {
			i = 0
		}
		din[j][i] += d
	}
	for i, v := range r.x {
		switch {
		case f.Op.D1 != nil:
			add(0, i, adj[i]*f.Op.D1(elementOf(in[0], i), v))
		case f.Op.D2 != nil:
			dx, dy := f.Op.D2(elementOf(in[0], i), elementOf(in[1], i), v)
			add(0, i, adj[i]*dx)
			add(1, i, adj[i]*dy)
		case f.Op.D3 != nil:
			dx, dy, dz := f.Op.D3(elementOf(in[0], i), elementOf(in[1], i), elementOf(in[2], i), v)
			add(0, i, adj[i]*dx)
			add(1, i, adj[i]*dy)
			add(2, i, adj[i]*dz)
		}
	}
}

// closeTo compares as the vectors' README says: infinities and NaN exactly.
func closeTo(got, want, tol float64) bool {
	if math.IsNaN(want) || math.IsInf(want, 0) || math.IsNaN(got) || math.IsInf(got, 0) {
		return got == want || math.IsNaN(got) && math.IsNaN(want)
	}
	return math.Abs(got-want) <= tol
}
