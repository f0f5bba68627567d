// The logarithm of the beta function as an operation of the engine.

package mathfn

import (
	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/autodiff/vec"
	"github.com/seed-12b88e03/ppl/stdlib/internal/transform"
	"github.com/seed-12b88e03/ppl/stdlib/special"
)

// LbetaOp is log B(a, b).
var LbetaOp = &autodiff.Op{Name: "lbeta", F2: lbeta, Vector2: lbetas, D2: lbetaGradient, Partials2: lbetaGradients}

// The vector kernel does shapes of moderate size: its errors are those of the differences of
// gamma functions that it takes, which smaller and larger shapes would show.
const leastShape, greatestShape = 1e-2, 1e8

func moderateShapes(a []float64) bool { return vec.Within(a, leastShape, greatestShape) }

func moderateShape(a float64) bool { return a >= leastShape && a <= greatestShape }

func lbeta(a, b float64) float64 {
	if moderateShape(a) && moderateShape(b) {
		return vec.Lbeta(a, b)
	}
	return special.Lbeta(a, b)
}

func lbetaGradient(a, b, _ float64) (da, db float64) {
	if moderateShape(a) && moderateShape(b) {
		return vec.LbetaSlopes(a, b)
	}
	if !(a > 0 && b > 0) {
		both := special.Digamma(a + b)
		return special.Digamma(a) - both, special.Digamma(b) - both
	}
	return -special.PsiDiff(a, b), -special.PsiDiff(b, a)
}

// lbetas is lbeta of vectors, either of which may be one number.
func lbetas(dst, a, b []float64) {
	if len(a) < len(b) {
		a, b = b, a
	}
	switch n := len(dst); {
	case len(a) < n || !moderateShapes(a) || !moderateShapes(b):
		for i := range dst {
			dst[i] = lbeta(transform.ArgAt(a, i), transform.ArgAt(b, i))
		}
	case len(b) == n:
		vec.LbetaVV.Map(dst, a, b)
	default:
		vec.LbetaVS.Map(dst, a, b)
	}
}

// lbetaGradients is lbetaGradient of vectors, either of which may be one number.
func lbetaGradients(da, db, a, b, _ []float64) {
	const few = 4 // are faster one by one
	if len(da) < few || !moderateShapes(a) || !moderateShapes(b) {
		for i := range da {
			da[i], db[i] = lbetaGradient(transform.ArgAt(a, i), transform.ArgAt(b, i), 0)
		}
		return
	}
	vec.LbetaPsi(da, db, a, b)
}
