// Densities element by element, for loops that are written as vector operations but use
// each term by itself, as mixtures do.

package lowering

import (
	"math"
	"strings"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
	"github.com/seed-12b88e03/ppl/stdlib/internal/univariate"
)

// ElementSuffix ends the names of element-by-element functions; programs cannot name them.
const ElementSuffix = "_each"

// PerElement returns the function that has the log density fn of each element where fn has the
// sum: arguments are numbers or containers of one length, the result has that length. It
// is nil where fn is not a density of single numbers.
func PerElement(fn *catalogue.Function) *catalogue.Function {
	d := fn.Density
	if d == nil || d.Log == nil || !strings.HasSuffix(fn.Name, "_lpdf") && !strings.HasSuffix(fn.Name, "_lpmf") {
		return nil
	}
	v := &univariate.Variates{Dist: d, Fn: fn.Name, Args: catalogue.ParseArgs(d.Args), Log: d.Log, Density: true}
	return &catalogue.Function{Name: fn.Name + ElementSuffix, Section: fn.Section, Doc: "the log density of each element", Kernel: eachKernel(v), ElementsOf: d}
}

func eachKernel(v *univariate.Variates) *catalogue.Kernel {
	return &catalogue.Kernel{
		Dims: func(in []catalogue.Tensor) ([]int, error) {
			return []int{catalogue.Elements(in)}, catalogue.ConsistentSizes(v.Args, in)
		},
		Work: func([]catalogue.Tensor) int { return v.Scratch() },
		Value: func(in []catalogue.Tensor, out, work []float64) error {
			if err := v.Check(len(out), in, work); err != nil {
				return err
			}
			x := work[:len(in)]
			for i := range out {
				catalogue.Gather(in, i, x)
				out[i] = v.One(x, nil, work)
			}
			return nil
		},
		VJP: func(in []catalogue.Tensor, out, adj []float64, din [][]float64, work []float64) {
			m := len(in)
			x, d := work[:m], work[m:2*m]
			for i, a := range adj {
				if a == 0 || math.IsInf(out[i], -1) {
					continue
				}
				catalogue.Gather(in, i, x)
				clear(d)
				v.One(x, d, work)
				for j := range din {
					if din[j] != nil {
						din[j][min(i, len(din[j])-1)] += float64(a * d[j])
					}
				}
			}
		},
	}
}

// EachExpansions are the formulas of single variates that hold for vectors of them, too.
var EachExpansions = map[string]Expander{
	"normal_lpdf":      eachNormal,
	"exponential_lpdf": expandExponential,
	"poisson_log_lpmf": eachPoissonLog,
}

func eachNormal(g *autodiff.Graph, _ int, in []Operand) (autodiff.Node, bool) {
	b := catalogue.Formula{G: g}
	z := b.Div(b.Sub(in[0].Node, in[1].Node), in[2].Node)
	return b.Sub(b.Sub(b.Mul(b.Num(-0.5), b.Square(z)), b.Log(in[2].Node)), b.Num(logSqrt2Pi)), true
}

func eachPoissonLog(g *autodiff.Graph, _ int, in []Operand) (autodiff.Node, bool) {
	if in[0].Active {
		return autodiff.None, false
	}
	b := catalogue.Formula{G: g}
	logFactorial := make([]float64, len(in[0].X))
	for i, y := range in[0].X {
		logFactorial[i], _ = libm.Lgamma(y + 1)
	}
	eta := in[1].Node
	return b.Sub(b.Sub(b.Mul(in[0].Node, eta), b.Map1(autodiff.Exp, eta)), g.Const(logFactorial)), true
}
