// The elementwise constraint transforms as nodes.

package trace

import (
	"math"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/ir/eval"
)

// bounds writes lower, upper, lower_upper and offset_multiplier as nodes; false where
// a bound is infinite (it is then absent) or some of several are.
func (r *Recorder) bounds(name string, n int, free *eval.Value, args []*eval.Value) (x, logJ autodiff.Node, ok bool) {
	for _, a := range args {
		for _, v := range a.X {
			if math.IsInf(v, 0) {
				return autodiff.None, autodiff.None, false
			}
		}
	}
	g := r.Graph
	u := r.Node(free)
	at := r.Nodes(args)
	switch name {
	case "lower":
		return g.Map(autodiff.Add, n, g.Map(autodiff.Exp, n, u), at[0]), g.Sum(u), true
	case "upper":
		return g.Map(autodiff.Sub, n, at[0], g.Map(autodiff.Exp, n, u)), g.Sum(u), true
	case "lower_upper":
		x, logJ = r.interval(n, u, at[0], at[1])
		return x, logJ, true
	case "offset_multiplier":
		logScale := g.Map(autodiff.Log, g.Len(at[1]), at[1])
		logJ = g.Sum(logScale)
		if g.Len(at[1]) != n {
			logJ = g.Map(autodiff.Mul, 1, g.Scalar(float64(n)), logJ)
		}
		return g.Map(autodiff.Add, n, g.Map(autodiff.Mul, n, u, at[1]), at[0]), logJ, true
	}
	return autodiff.None, autodiff.None, false
}

// interval is the transform to (lo, hi): the log Jacobian of an element is
// log(hi - lo) - |u| - 2 log(1 + exp(-|u|)), here written as the two log1p_exp that
// it is the sum of.
func (r *Recorder) interval(n int, u, lo, hi autodiff.Node) (x, logJ autodiff.Node) {
	g := r.Graph
	width := g.Map(autodiff.Sub, max(g.Len(lo), g.Len(hi)), hi, lo)
	x = g.Map(autodiff.Add, n, lo, g.Map(autodiff.Mul, n, width, g.Map(autodiff.InvLogit, n, u)))
	logWidth := g.Map(autodiff.Log, g.Len(width), width)
	tails := g.Map(autodiff.Add, n, g.Map(autodiff.Log1pExp, n, u), g.Map(autodiff.Log1pExp, n, g.Map(autodiff.Neg, n, u)))
	return x, g.Sum(g.Map(autodiff.Sub, n, logWidth, tails))
}
