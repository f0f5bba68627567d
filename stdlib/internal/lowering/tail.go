// The normal distribution function and its logarithm as operations of the engine, and the
// expansions that use them.

package lowering

import (
	"math"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/autodiff/vec"
	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
)

// normalLogCDF is log Phi.
var normalLogCDF = &autodiff.Op{Name: "log_Phi", F1: vec.LogPhi.At, Vector: vec.LogPhi.Map,
	D1: func(x, _ float64) float64 { return vec.Hazard.At(x) },
	Slope: func(g *autodiff.Graph, x, _ autodiff.Node) autodiff.Node {
		return catalogue.Formula{G: g}.Map1(normalHazard, x)
	}}

// normalHazard is the derivative of log Phi.
var normalHazard = &autodiff.Op{Name: "normal_hazard", F1: vec.Hazard.At, Vector: vec.Hazard.Map,
	D1: func(x, h float64) float64 { return -h * (x + h) }}

// expandNormalTail is the sum of log Phi of standardised variates, or of their negatives.
func expandNormalTail(standard, upper bool) Expander {
	return func(g *autodiff.Graph, _ int, in []Operand) (autodiff.Node, bool) {
		b, z, n := catalogue.Formula{G: g}, in[0].Node, 1
		for _, x := range in {
			if len(x.Dims) > 0 {
				n = len(x.X)
			}
		}
		if n == 0 {
			return autodiff.None, false
		}
		if !standard {
			if !g.NonNegative(in[2].Node) { // its sign would be lost
				return autodiff.None, false
			}
			z = b.Div(b.Sub(z, in[1].Node), in[2].Node)
		}
		if upper {
			z = b.Neg(z)
		}
		sum := g.Sum(b.Map1(normalLogCDF, z))
		if g.Len(z) != n {
			sum = b.Mul(b.Num(float64(n)), sum)
		}
		return sum, true
	}
}

// gumbelUpper is log(1 - exp(-exp(-z))): -z less half of exp(-z) far above 0.
var gumbelUpper = byParts("gumbel_upper", func(dst, z []float64) {
	vec.Neg.Map(dst, z)
	vec.Exp.Map(dst, dst)
	vec.Neg.Map(dst, dst)
	vec.Log1mExp.Map(dst, dst)
	for i, v := range z {
		if v > farAbove {
			dst[i] = -v
		}
	}
}, func(z, f float64) float64 { return -vec.Exp.At(-(z + vec.Exp.At(-z) + f)) }, func(b catalogue.Formula, z, f autodiff.Node) autodiff.Node {
	// -exp(-z) exp(-exp(-z)) / (1 - exp(-exp(-z)))
	return b.Neg(expOf(b, b.Neg(b.Add(b.Add(z, expOf(b, b.Neg(z))), f))))
})

// farAbove is from where exp(-z) is nothing beside 1.
const farAbove = 40

// laplaceLower is the log of the distribution function of the standard double exponential distribution.
var laplaceLower = byParts("double_exponential_lower", func(dst, z []float64) {
	for i, v := range z {
		dst[i] = -math.Abs(v)
	}
	vec.Exp.Map(dst, dst)
	for i, e := range dst {
		dst[i] = -0.5 * e
	}
	vec.Log1p.Map(dst, dst)
	for i, v := range z {
		if v < 0 {
			dst[i] = v - math.Ln2
		}
	}
}, func(z, f float64) float64 { return vec.Exp.At(-(math.Abs(z) + math.Ln2 + f)) }, func(b catalogue.Formula, z, f autodiff.Node) autodiff.Node {
	return expOf(b, b.Neg(b.Add(b.Add(b.Map1(absolute, z), b.Num(math.Ln2)), f))) // the density over it
})

// cauchyUpper is the log of 1 less the distribution function of the standard Cauchy distribution.
var cauchyUpper = byParts("cauchy_upper", func(dst, z []float64) {
	for i, v := range z {
		dst[i] = libm.Atan2(1, v) / math.Pi
	}
	vec.Log.Map(dst, dst)
}, func(z, f float64) float64 { return -1 / (math.Pi * (1 + float64(z*z)) * vec.Exp.At(f)) }, func(b catalogue.Formula, z, f autodiff.Node) autodiff.Node {
	scale := b.Mul(b.Num(math.Pi), b.Add(b.Num(1), b.Square(z)))
	return b.Neg(b.Inv(b.Mul(scale, expOf(b, f))))
})

// byParts is the operation that of does for vectors of up to 64 numbers, where dst is not x; d is its derivative at x, where its
// value is f, and slope the same as nodes.
func byParts(name string, of func(dst, x []float64), d func(x, f float64) float64, slope func(b catalogue.Formula, x, f autodiff.Node) autodiff.Node) *autodiff.Op {
	const size = 64
	return &autodiff.Op{Name: name, D1: d,
		F1: func(x float64) float64 {
			out := [1]float64{}
			of(out[:], []float64{x})
			return out[0]
		},
		Vector: func(dst, x []float64) {
			var part [size]float64
			for from := 0; from < len(dst); from += size {
				n := copy(part[:], x[from:len(dst)])
				of(dst[from:from+n], part[:n])
			}
		},
		Slope: func(g *autodiff.Graph, x, f autodiff.Node) autodiff.Node { return slope(catalogue.Formula{G: g}, x, f) },
	}
}
