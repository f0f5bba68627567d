// The normal distribution function and its logarithm as operations of the engine, and the
// expansions that use them.

package lowering

import (
	"github.com/seed-12b88e03/ppl/autodiff"
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
