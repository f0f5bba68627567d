// This file holds composed functions: log1p and its kin, log_sum_exp of two numbers, log_mix.

package mathfn

import (
	"math"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/autodiff/vec"
	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
	"github.com/seed-12b88e03/ppl/stdlib/internal/transform"
)

// logSumExpOp is log(exp(x) + exp(y)).
var logSumExpOp = catalogue.Binary("log_sum_exp", LogSumExp2, func(x, y, _ float64) (float64, float64) {
	if x == y {
		return 0.5, 0.5
	}
	return invLogit(x - y), invLogit(y - x)
})

func composedFunctions() []*catalogue.Function {
	row := func(name, doc string, f func(x float64) float64, d func(x, f float64) float64) *catalogue.Function {
		return catalogue.Elementwise(catalogue.SectionReal, doc, catalogue.Unary(name, f, d))
	}
	return []*catalogue.Function{
		catalogue.Elementwise(catalogue.SectionReal, "log(1 + x), accurate about 0", autodiff.Log1p).
			Where(0, "x", func(x float64) bool { return !(x < -1) }, "at least -1"),
		row("log1m", "log(1 - x), accurate about 0", func(x float64) float64 { return libm.Log1p(-x) },
			func(x, _ float64) float64 { return -1 / (1 - x) }).
			Where(0, "x", func(x float64) bool { return !(x > 1) }, "at most 1"),
		catalogue.Elementwise(catalogue.SectionReal, "log(1 + exp(x)) without overflow", autodiff.Log1pExp),
		catalogue.Elementwise(catalogue.SectionReal, "log(1 - exp(x)) for negative x", Log1mExpOp),
		catalogue.Elementwise(catalogue.SectionReal, "log(exp(x) - exp(y)) for x >= y", logDiffExpOp),
		catalogue.Elementwise(catalogue.SectionReal, "log(exp(x) + exp(y)) without overflow", logSumExpOp),
		catalogue.Elementwise(catalogue.SectionReal, "x log(y), 0 where both are 0", catalogue.Binary("lmultiply", Lmultiply,
			func(x, y, _ float64) (float64, float64) { return libm.Log(y), x / y })),
		catalogue.Scalar(catalogue.SectionReal, "the log of the mixture theta exp(lp1) + (1 - theta) exp(lp2)", logMixOp,
			"real theta", "real lp1", "real lp2").
			Where(0, "the mixing proportion", func(x float64) bool { return x >= 0 && x <= 1 }, "between 0 and 1"),
	}
}

// log1mExp is log(1 - exp(x)); NaN for positive x.
func log1mExp(x float64) float64 { return vec.Log1mExp.At(x) }

// Log1mExpOp is log(1 - exp(x)), with the derivative -1/(exp(-x) - 1).
var Log1mExpOp = catalogue.Sloped("log1m_exp", vec.Log1mExp, func(x, _ float64) float64 { return -1 / vec.Expm1.At(-x) },
	func(b catalogue.Formula, x, _ autodiff.Node) autodiff.Node {
		return b.Neg(b.Inv(b.Map1(Expm1Op, b.Neg(x))))
	})

// logDiffExpOp is log(exp(x) - exp(y)).
var logDiffExpOp = &autodiff.Op{
	Name: "log_diff_exp", F2: logDiffExp, Vector2: logDiffExps,
	D2: func(x, y, _ float64) (float64, float64) { return -1 / vec.Expm1.At(y-x), -1 / vec.Expm1.At(x-y) },
	Slopes: func(g *autodiff.Graph, k int, x, y, _ autodiff.Node) autodiff.Node {
		b := catalogue.Formula{G: g}
		if k == 1 {
			x, y = y, x
		}
		return b.Neg(b.Inv(b.Map1(Expm1Op, b.Sub(y, x))))
	},
}

// logDiffExps is logDiffExp of vectors, either of which may be one number; dst may be one of them.
func logDiffExps(dst, x, y []float64) {
	var d [64]float64
	for from := 0; from < len(dst); from += len(d) {
		part := dst[from:min(from+len(d), len(dst))]
		for i := range part {
			d[i] = transform.ArgAt(y, from+i) - transform.ArgAt(x, from+i)
		}
		vec.Log1mExp.Map(d[:len(part)], d[:])
		for i := range part {
			part[i] = logDiff(transform.ArgAt(x, from+i), transform.ArgAt(y, from+i), d[i])
		}
	}
}

func logDiffExp(x, y float64) float64 { return logDiff(x, y, log1mExp(y-x)) }

// logDiff is logDiffExp, given log1mExp(y-x).
func logDiff(x, y, log1m float64) float64 {
	if x == y && x < math.Inf(1) {
		return math.Inf(-1)
	}
	return x + log1m
}

func LogSumExp2(x, y float64) float64 {
	switch {
	case x == math.Inf(-1):
		return y
	case y == math.Inf(-1):
		return x
	case x == math.Inf(1) && y == math.Inf(1):
		return x
	case x > y:
		return x + log1pExp(y-x)
	}
	return y + log1pExp(x-y)
}

func Lmultiply(x, y float64) float64 {
	if x == 0 && y == 0 {
		return 0
	}
	return x * libm.Log(y)
}

// logMixOp is log_mix of two components.
var logMixOp = &autodiff.Op{Name: "log_mix",
	F3: func(theta, a, b float64) float64 {
		return LogSumExp2(libm.Log(theta)+a, libm.Log1p(-theta)+b)
	},
	D3: func(theta, a, b, f float64) (dTheta, da, db float64) {
		wa := invLogit(libm.Log(theta) - libm.Log1p(-theta) + a - b)
		wb := invLogit(libm.Log1p(-theta) - libm.Log(theta) + b - a)
		// (exp(a) - exp(b))/exp(f), from the larger component.
		if a > b {
			dTheta = -libm.Expm1(b-a) * libm.Exp(a-f)
		} else {
			dTheta = libm.Expm1(a-b) * libm.Exp(b-f)
		}
		return dTheta, wa, wb
	},
}
