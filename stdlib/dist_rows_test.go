// Rows that are counted once against all rows one by one.

package stdlib

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/stdlib/internal/lowering"
)

// Densities over rows of which many agree, in data and in parameters taken by an index, have the value
// and the gradient of the sum over the rows, to rounding.
func TestRepeatedRows(t *testing.T) {
	lib := New()
	names := []string{"normal_lpdf", "lognormal_lpdf"}
	for name := range lowering.DensityFormulas {
		names = append(names, name)
	}
	for _, name := range names {
		r := rand.New(rand.NewPCG(5, 6))
		d, applied := lib.Function(name).Density, 0
		for trial := range 60 {
			in, x := repeatedPoint(d, trial, r)
			g := autodiff.NewGraph(len(x))
			for j := range in {
				in[j].node(g)
			}
			ops := operandsOf(in)
			total, ok := Lowering(name, ForEvaluation)(g, 1, ops)
			if !ok {
				continue
			}
			applied++
			m := autodiff.Compile(g, []autodiff.Node{total, autodiff.Gradient(g, total)}, nil).NewMachine()
			if err := m.Run(x); err != nil {
				t.Fatal(err)
			}
			value, size, grad, scale := rowsAt(d, in, x)
			if value == m.Root(0)[0] && math.IsInf(value, 0) {
				continue
			}
			worst := math.Abs(m.Root(0)[0]-value) / (1 + size)
			for i, v := range grad {
				worst = max(worst, math.Abs(m.Root(1)[i]-v)/(1+scale[i]))
			}
			if !(worst <= 1e-10) {
				t.Errorf("%s: relative error %.1e", name, worst)
			}
		}
		if applied == 0 {
			t.Errorf("%s: no rows are counted", name)
		}
	}
}

// A repeatedArg is an argument of a call: data, or parameters from offset at of the input by index.
type repeatedArg struct {
	Operand
	at    int
	index []int
}

const repeatedRows = 40

// node makes the node of an argument.
func (a *repeatedArg) node(g *autodiff.Graph) {
	switch {
	case !a.Active:
		a.Node = g.Const(a.X)
	case a.index == nil:
		a.Node = g.Elem(g.Input(), a.at)
	default:
		refs := make([]autodiff.Ref, len(a.index))
		for i, k := range a.index {
			refs[i] = autodiff.Ref{Node: g.Input(), Elem: int32(a.at + k)}
		}
		a.Node = g.Gather(refs)
	}
}

func operandsOf(list []repeatedArg) []Operand {
	out := make([]Operand, len(list))
	for i, a := range list {
		out[i] = a.Operand
	}
	return out
}

// repeatedPoint draws arguments of repeatedRows elements, which take few values, or one.
func repeatedPoint(d *Distribution, trial int, r *rand.Rand) (in []repeatedArg, x []float64) {
	point := formulaPoint(d, trial, r)
	for j, a := range point {
		arg := repeatedArg{Operand: Operand{Active: a.Active && j > 0}, at: len(x)}
		values := a.X[:1]
		if j == 0 || r.IntN(2) == 0 {
			values = a.X
			arg.Dims = []int{repeatedRows}
		}
		for range max(1, prod(arg.Dims)) {
			k := r.IntN(len(values))
			arg.X = append(arg.X, values[k])
			if arg.Active && len(arg.Dims) > 0 {
				arg.index = append(arg.index, k)
			}
		}
		if arg.Active {
			x = append(x, values...)
		}
		in = append(in, arg)
	}
	return in, x
}

func prod(dims []int) int {
	if len(dims) == 0 {
		return 1
	}
	return dims[0]
}

// rowsAt adds up the row's function of one variate over all rows, and its derivatives by the input.
func rowsAt(d *Distribution, in []repeatedArg, x []float64) (value, size float64, grad, scale []float64) {
	grad, scale = make([]float64, len(x)), make([]float64, len(x))
	at, slopes := make([]float64, len(in)), make([]float64, len(in))
	for i := range repeatedRows {
		for j, a := range in {
			at[j] = a.X[min(i, len(a.X)-1)]
		}
		clear(slopes)
		v := d.Log(at, slopes)
		value, size = value+v, size+math.Abs(v)
		for j, a := range in {
			if !a.Active {
				continue
			}
			k := a.at
			if a.index != nil {
				k += a.index[i]
			}
			grad[k] += slopes[j]
			scale[k] += math.Abs(slopes[j])
		}
	}
	return value, size, grad, scale
}
