// The larger and the smaller of two numbers as operations of the engine.

package mathfn

import (
	"math"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/autodiff/vec"
)

var (
	fmaxOp = extremeOp("fmax", vec.LargerOf, vec.LargerVV, vec.LargerVS)
	fminOp = extremeOp("fmin", vec.SmallerOf, vec.SmallerVV, vec.SmallerVS)
)

// MaxOp and MinOp are the larger and the smaller of two numbers, and NaN where either is.
var (
	MaxOp = beyond("max", fmaxOp)
	MinOp = beyond("min", fminOp)
)

// beyond is an operation on two numbers that gives NaN where either is.
func beyond(name string, op *autodiff.Op) *autodiff.Op {
	with := *op
	with.Name = name
	with.F2 = func(x, y float64) float64 {
		if x != x || y != y {
			return math.NaN()
		}
		return op.F2(x, y)
	}
	with.Vector2 = func(dst, x, y []float64) {
		for i := range dst {
			dst[i] = with.F2(x[min(i, len(x)-1)], y[min(i, len(y)-1)])
		}
	}
	return &with
}

// extremeOp is one of two numbers; of equal ones the first counts.
func extremeOp(name string, f func(x, y float64) float64, vv, vs vec.Binary) *autodiff.Op {
	return &autodiff.Op{
		Name: name, F2: f, Vector2: onVectors(f, vv, vs),
		D2: func(x, _, f float64) (dx, dy float64) {
			e := vec.EqualOf(f, x)
			return e, 1 - e
		},
		Slopes: func(g *autodiff.Graph, k int, x, _, f autodiff.Node) autodiff.Node {
			e := g.Map(isOp, g.Len(f), f, x)
			if k == 0 {
				return e
			}
			return g.Map(autodiff.Sub, g.Len(f), g.Scalar(1), e)
		},
	}
}

// isOp is 1 where its arguments are equal numbers, else 0.
var isOp = &autodiff.Op{Name: "is", F2: vec.EqualOf, Vector2: onVectors(vec.EqualOf, vec.EqualVV, vec.EqualVS)}

// onVectors is an operation of vectors, either of which may be one number.
func onVectors(f func(x, y float64) float64, vv, vs vec.Binary) func(dst, x, y []float64) {
	return func(dst, x, y []float64) {
		switch n := len(dst); {
		case len(x) == n && len(y) == n:
			vv.Map(dst, x, y)
		case len(x) == n:
			vs.Map(dst, x, y)
		default:
			for i := range dst {
				dst[i] = f(x[0], y[min(i, len(y)-1)])
			}
		}
	}
}
