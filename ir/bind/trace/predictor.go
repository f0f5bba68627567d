// Densities of linear predictors: a matrix product and a density as one function.

package trace

import (
	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/ir/eval"
	"github.com/seed-12b88e03/ppl/lang/source"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// predictor adds a density of data given alpha + x*beta in the form that takes x, alpha
// and beta. ok is false for anything else.
func (r *Recorder) predictor(at source.Span, fn *stdlib.Function, args []*eval.Value) (sum autodiff.Node, ok bool) {
	form := stdlib.PredictorForm(fn.Name)
	if form == nil || r.Full || !r.opts.Does(optPredictor) || args[0].Active() || !args[1].Active() || len(args[0].Dims) != 1 || len(args[1].Dims) != 1 {
		return autodiff.None, false
	}
	x, alpha, beta, ok := r.Graph.Linear(r.Node(args[1]))
	if !ok {
		return autodiff.None, false
	}
	rows, cols := len(args[1].X), r.Graph.Len(beta)
	k := &KernelCall{at: at, Fn: form, written: fn.Name, Args: []stdlib.Tensor{
		{Rank: stdlib.Rank{Array: 1}, Dims: []int{rows}, X: args[0].X},
		{Dims: []int{rows, cols}, X: x},
		{X: []float64{0}},
		{Dims: []int{cols}, X: make([]float64, cols)},
	}}
	var in []autodiff.Node
	if alpha != autodiff.None {
		n := r.Graph.Len(alpha)
		if n > 1 {
			k.Args[2].Dims = []int{n}
		}
		k.Args[2].X = make([]float64, n)
		k.Active, in = append(k.Active, 2), append(in, alpha)
	}
	k.Active, in = append(k.Active, 3), append(in, beta)
	r.bySums(k)
	return r.Graph.Opaque(k, 1, in...), true
}
