// Densities element by element, for loops that are written as vector operations but use
// each term by itself, as mixtures do.

package stdlib

import (
	"math"
	"strings"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/autodiff/libm"
)

// elementSuffix ends the names of element-by-element functions; programs cannot name them.
const elementSuffix = "_each"

// PerElement returns the function that has the log density fn of each element where fn has the
// sum: arguments are numbers or containers of one length, the result has that length. It
// is nil where fn is not a density of single numbers.
func PerElement(fn *Function) *Function {
	d := fn.Density
	if d == nil || d.Log == nil || !strings.HasSuffix(fn.Name, "_lpdf") && !strings.HasSuffix(fn.Name, "_lpmf") {
		return nil
	}
	v := &variates{dist: d, fn: fn.Name, args: parseArgs(d.Args), log: d.Log, density: true}
	return &Function{Name: fn.Name + elementSuffix, Section: fn.Section, Doc: "the log density of each element", Kernel: v.eachKernel(), each: d}
}

func (v *variates) eachKernel() *Kernel {
	return &Kernel{
		Dims: func(in []Tensor) ([]int, error) { return []int{elements(in)}, consistentSizes(v.args, in) },
		Work: func([]Tensor) int { return v.scratch() },
		Value: func(in []Tensor, out, work []float64) error {
			if err := v.check(len(out), in, work); err != nil {
				return err
			}
			x := work[:len(in)]
			for i := range out {
				gather(in, i, x)
				out[i] = v.one(x, nil, work)
			}
			return nil
		},
		VJP: func(in []Tensor, out, adj []float64, din [][]float64, work []float64) {
			m := len(in)
			x, d := work[:m], work[m:2*m]
			for i, a := range adj {
				if a == 0 || math.IsInf(out[i], -1) {
					continue
				}
				gather(in, i, x)
				clear(d)
				v.one(x, d, work)
				for j := range din {
					if din[j] != nil {
						din[j][min(i, len(din[j])-1)] += float64(a * d[j])
					}
				}
			}
		},
	}
}

// eachExpansions are the formulas of single variates that hold for vectors of them, too.
var eachExpansions = map[string]Expander{
	"normal_lpdf":          eachNormal,
	"cauchy_lpdf":          expandCauchy,
	"student_t_lpdf":       expandStudentT,
	"exponential_lpdf":     expandExponential,
	"bernoulli_logit_lpmf": eachBernoulliLogit,
	"poisson_log_lpmf":     eachPoissonLog,
}

func eachNormal(g *autodiff.Graph, _ int, in []Operand) (autodiff.Node, bool) {
	b := formula{g}
	z := b.div(b.sub(in[0].Node, in[1].Node), in[2].Node)
	return b.sub(b.sub(b.mul(b.num(-0.5), b.square(z)), b.log(in[2].Node)), b.num(logSqrt2Pi)), true
}

func eachBernoulliLogit(g *autodiff.Graph, _ int, in []Operand) (autodiff.Node, bool) {
	if in[0].Active {
		return autodiff.None, false
	}
	b := formula{g}
	sign := make([]float64, len(in[0].X))
	for i, y := range in[0].X {
		sign[i] = 1 - 2*y
	}
	return b.neg(b.map1(autodiff.Log1pExp, b.mul(g.Const(sign), in[1].Node))), true
}

func eachPoissonLog(g *autodiff.Graph, _ int, in []Operand) (autodiff.Node, bool) {
	if in[0].Active {
		return autodiff.None, false
	}
	b := formula{g}
	logFactorial := make([]float64, len(in[0].X))
	for i, y := range in[0].X {
		logFactorial[i], _ = libm.Lgamma(y + 1)
	}
	eta := in[1].Node
	return b.sub(b.sub(b.mul(in[0].Node, eta), b.map1(autodiff.Exp, eta)), g.Const(logFactorial)), true
}
