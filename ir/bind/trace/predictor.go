// Densities of linear predictors: a matrix product and a density as one function.

package trace

import (
	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/ir/eval"
	"github.com/seed-12b88e03/ppl/lang/source"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// mostFitted bounds the rows times the square of the columns of a regression whose least squares are solved where it is recorded.
const mostFitted = 1 << 27

// regression adds a normal density of data given alpha + x*beta by the statistics of normal_id_glm, which are few numbers however many
// the data are. ok is false for anything else.
func (r *Recorder) regression(name string, args []*eval.Value) (x autodiff.Node, ok bool) {
	const regression = "normal_id_glm_lpdf"
	if name != "normal_lpdf" || r.Full || r.tracing || !r.opts.Does(optPredictor) || !r.opts.Does(optRepeats) || !r.written(regression) ||
		args[0].Active() || !args[1].Active() || len(args[0].Dims) != 1 || len(args[1].Dims) != 1 || len(args[2].Dims) != 0 {
		return autodiff.None, false
	}
	a, alpha, beta, ok := r.Graph.Linear(r.Node(args[1]))
	if !ok || alpha != autodiff.None && r.Graph.Len(alpha) > 1 {
		return autodiff.None, false
	}
	n, k := len(args[1].X), r.Graph.Len(beta)
	if n*(k+1)*(k+1) > mostFitted {
		return autodiff.None, false
	}
	intercept := stdlib.Operand{Tensor: stdlib.Tensor{X: []float64{0}}, Node: r.Graph.Scalar(0)}
	if alpha != autodiff.None {
		intercept.Node, intercept.Active = alpha, true
	}
	return stdlib.Lowering(regression, stdlib.ForEvaluation)(r.Graph, 1, []stdlib.Operand{
		{Tensor: stdlib.Tensor{Rank: stdlib.Rank{Array: 1}, Dims: []int{n}, X: args[0].X}},
		{Tensor: stdlib.Tensor{Dims: []int{n, k}, X: a}},
		intercept,
		{Tensor: stdlib.Tensor{Dims: []int{k}, X: make([]float64, k)}, Node: beta, Active: true},
		{Tensor: stdlib.Tensor{X: args[2].X}, Node: r.Node(args[2]), Active: args[2].Active()},
	})
}

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
