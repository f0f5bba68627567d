// The power as an operation of the engine.

package mathfn

import (
	"math"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/autodiff/vec"
	"github.com/seed-12b88e03/ppl/stdlib/internal/transform"
)

// powOp is the power, with the limits of its derivatives at base 0.
var powOp = &autodiff.Op{
	Name: "pow", F2: vec.Pow, Vector2: powVector,
	D2: func(x, y, f float64) (dx, dy float64) { return powByBase.F3(x, y, f), powByExponent.F2(x, f) },
	Slopes: func(g *autodiff.Graph, k int, x, y, f autodiff.Node) autodiff.Node {
		if k == 0 {
			return g.Map(powByBase, g.Len(f), x, y, f)
		}
		return g.Map(powByExponent, g.Len(f), x, f)
	},
}

// powByBase is the derivative of f = x^y by x.
var powByBase = &autodiff.Op{Name: "pow_by_base", F3: func(x, y, f float64) float64 {
	switch {
	case y == 0:
		return 0
	case x != 0 && !math.IsInf(f, 0):
		return y * (f / x)
	}
	return y * vec.Pow(x, y-1)
}}

// powByExponent is that by y, made of x and f.
var powByExponent = &autodiff.Op{
	Name:    "pow_by_exponent",
	F2:      func(x, f float64) float64 { return timesLog(x, f, vec.Log.At(x)) },
	Vector2: timesLogs,
}

// timesLogs is timesLog of vectors, either of which may be one number; dst may be one of them.
func timesLogs(dst, x, f []float64) {
	var logs [64]float64
	if len(x) == 1 {
		logs[0] = vec.Log.At(x[0])
	}
	for from := 0; from < len(dst); from += len(logs) {
		part := dst[from:min(from+len(logs), len(dst))]
		if len(x) > 1 {
			vec.Log.Map(logs[:len(part)], x[from:])
		}
		for i := range part {
			part[i] = timesLog(transform.ArgAt(x, from+i), transform.ArgAt(f, from+i), transform.ArgAt(logs[:min(len(x), len(logs))], i))
		}
	}
}

// timesLog is f log(x), 0 where the power f of x does not change.
func timesLog(x, f, log float64) float64 {
	if x == 0 || f == 0 {
		return 0
	}
	return f * log
}

// powVector raises vectors or one number to powers.
func powVector(dst, x, y []float64) {
	switch n := len(dst); {
	case len(x) == n && len(y) == n:
		vec.PowVV.Map(dst, x, y)
	case len(x) == n:
		vec.PowVS.Map(dst, x, y)
	case len(y) == n:
		vec.PowSV.Map(dst, x, y)
	default:
		v := vec.Pow(x[0], y[0])
		for i := range dst {
			dst[i] = v
		}
	}
}
