// The logarithm of the gamma function and its derivative as operations of the engine.

package mathfn

import (
	"math"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/autodiff/vec"
	"github.com/seed-12b88e03/ppl/stdlib/special"
)

// LgammaOp is log|gamma(x)|, digammaOp its derivative. The errors of the vector kernels are
// those of numbers about 10, so that what lies near zeros of the functions, is negative or of
// another size is done one by one.
var (
	digammaOp = patched("digamma", vec.Digamma, special.Digamma, nearDigammaZero, special.Trigamma)
	LgammaOp  = func() *autodiff.Op {
		op := patched("lgamma", vec.Lgamma, special.Lgamma, nearLgammaZero, digammaOp.F1)
		op.Slope = func(g *autodiff.Graph, x, _ autodiff.Node) autodiff.Node { return g.Map(digammaOp, g.Len(x), x) }
		return op
	}()
)

func nearLgammaZero(x float64) bool { return math.Abs(x-1) < 0.25 || math.Abs(x-2) < 0.25 }

func nearDigammaZero(x float64) bool { return math.Abs(x-1.4616) < 0.25 }

// patched makes an Op of one argument that has a vector kernel for shapes of moderate size,
// except near its zeros.
func patched(name string, kernel vec.Func, f func(float64) float64, zero func(float64) bool, d func(x float64) float64) *autodiff.Op {
	alone := func(x float64) bool { return !moderateShape(x) || zero(x) }
	return &autodiff.Op{
		Name: name,
		F1: func(x float64) float64 {
			if alone(x) {
				return f(x)
			}
			return kernel.At(x)
		},
		Vector: func(dst, x []float64) {
			const chunk = 64
			var rest [chunk]float64 // dst may be x
			for len(dst) > 0 {
				n := min(chunk, len(dst))
				copy(rest[:n], x)
				kernel.Map(dst[:n], x)
				for i, v := range rest[:n] {
					if alone(v) {
						dst[i] = f(v)
					}
				}
				dst, x = dst[n:], x[n:]
			}
		},
		D1: func(x, _ float64) float64 { return d(x) },
	}
}
