// The graph recorder: the evaluator's walk as an optimised program.

package trace

import (
	"slices"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/ir/eval"
	"github.com/seed-12b88e03/ppl/lang/source"
	"github.com/seed-12b88e03/ppl/lang/types"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// A Recorder builds a graph from the operations that the evaluator reports.
// Whatever does not depend on the input is a constant of the graph.
type Recorder struct {
	Graph   *autodiff.Graph
	Effects []autodiff.Node
	Guards  int                              // how many of effects are guards
	Full    bool                             // write densities out, for analysis
	Sliced  bool                             // divide reduce_sum and map_rect among cores where that pays
	Divided []autodiff.Opaque                // the calls that are
	Known   func(index, parts int) []float64 // values of the parts of one of them, for who evaluates a few parts; nil: all are evaluated
	consts  map[*float64]autodiff.Node       // constant vectors by their first number
	opts    *RecorderOptions

	checks checks     // of the calls recorded
	Exact  ExactNodes // of a row

	Draws                 drawing
	body                  *autodiff.LoopBody // of the traced loop
	Point                 []float64          // where the recording is made; nil where loops are unrolled
	tracing               bool               // an iteration that stands for all is recorded
	tracedLoops           int                // recurrences kept
	tracedVariants        int                // other loops kept, and variants of their iterations
	splitCalls            bool               // the traced loop has calls taken apart
	unroll                bool               // what the traced loop has is faster unrolled
	iterations            int                // of the traced loop
	loopMark, variantMark traceMark          // before the loop and the traced iteration
}

// New makes a recorder of a function of dim numbers.
func New(dim int, opts *RecorderOptions) *Recorder {
	r := &Recorder{Graph: autodiff.NewGraph(dim), consts: map[*float64]autodiff.Node{}, opts: opts, Draws: drawing{last: autodiff.None}, checks: newChecks()}
	if err := r.Graph.Disable(opts.engineOff()...); err != nil {
		panic(err) // the names are the engine's own
	}
	return r
}

// Node returns the node of a value of which the caller needs at least one number.
func (r *Recorder) Node(v *eval.Value) autodiff.Node {
	switch {
	case v.Node != autodiff.None:
		return v.Node
	case v.Refs == nil:
		return r.constant(v.X)
	}
	refs := make([]autodiff.Ref, len(v.X))
	for i, ref := range v.Refs {
		if ref.Node == autodiff.None {
			ref = autodiff.Ref{Node: r.Graph.Scalar(v.X[i])}
		}
		refs[i] = ref
	}
	return r.Graph.Gather(refs)
}

func (r *Recorder) constant(x []float64) autodiff.Node {
	if len(x) <= 1 {
		if len(x) == 1 {
			return r.Graph.Scalar(x[0])
		}
		return r.Graph.Const(nil)
	}
	if n, ok := r.consts[&x[0]]; ok && r.Graph.Len(n) == len(x) {
		return n
	}
	n := r.Graph.Const(x)
	r.consts[&x[0]] = n
	return n
}

// Vectorize rewrites the finished graph so that loops over observations become vector operations. It
// returns the nodes of the new graph that replace roots.
func (r *Recorder) Vectorize(roots ...autodiff.Node) []autodiff.Node {
	g, nodes := autodiff.Vectorize(r.Graph, append(slices.Clone(roots), r.Effects...))
	if g != r.Graph {
		clear(r.consts) // they are nodes of the old one
	}
	r.Graph = g
	r.Effects = nodes[len(roots):]
	return nodes[:len(roots):len(roots)]
}

func (r *Recorder) Nodes(args []*eval.Value) []autodiff.Node {
	out := make([]autodiff.Node, len(args))
	for i, a := range args {
		out[i] = r.Node(a)
	}
	return out
}

// coreOps are the operations that the engine knows, by the name of the library's.
var coreOps = map[string]*autodiff.Op{
	"add": autodiff.Add, "subtract": autodiff.Sub, "multiply": autodiff.Mul, "elt_multiply": autodiff.Mul,
	"divide": autodiff.Div, "elt_divide": autodiff.Div, "minus": autodiff.Neg, "inv": autodiff.Inv,
	"square": autodiff.Square, "sqrt": autodiff.Sqrt, "exp": autodiff.Exp, "log": autodiff.Log,
	"log1p": autodiff.Log1p, "log1p_exp": autodiff.Log1pExp, "inv_logit": autodiff.InvLogit,
}

// Elementwise adds a node for an operation, or its expansion.
func (r *Recorder) Elementwise(at source.Span, fn *stdlib.Function, args []*eval.Value, out *eval.Value) autodiff.Node {
	x := r.elementwise(fn.Op, args, out)
	r.note(x, r.applies(x, fn, args), args)
	if fn.Valid != nil {
		r.checks.written(r, at, fn, args, x)
	}
	return x
}

func (r *Recorder) elementwise(op *autodiff.Op, args []*eval.Value, out *eval.Value) autodiff.Node {
	if core, ok := coreOps[op.Name]; ok && core.Arity() == len(args) {
		return r.Graph.Map(core, len(out.X), r.Nodes(args)...)
	}
	if x, ok := r.expand(op.Name, args, out); ok {
		return x
	}
	if choices[op.Name] {
		return r.choose(op.Name, len(out.X), r.Nodes(args))
	}
	return r.Graph.Map(op, len(out.X), r.Nodes(args)...)
}

// choices are the comparisons and the choice that are written as the engine's.
var choices = map[string]bool{
	"choice": true, "logical_lt": true, "logical_gt": true, "logical_lte": true, "logical_gte": true, "logical_eq": true,
	"logical_negation": true, "logical_and": true, "logical_or": true,
}

// choose adds nodes for a function of choices. The test of a choice is 0 or 1.
func (r *Recorder) choose(name string, n int, in []autodiff.Node) autodiff.Node {
	g := r.Graph
	switch name {
	case "choice":
		return g.Map(autodiff.PickBySign, n, in[1], in[2], g.Map(autodiff.Sub, g.Len(in[0]), g.Scalar(0.5), in[0]))
	case "logical_lt":
		return g.Map(autodiff.More, n, in[1], in[0])
	case "logical_gt":
		return g.Map(autodiff.More, n, in[0], in[1])
	case "logical_lte":
		return g.Map(autodiff.AtLeast, n, in[1], in[0])
	case "logical_gte":
		return g.Map(autodiff.AtLeast, n, in[0], in[1])
	}
	equal := func(n int, x, y autodiff.Node) autodiff.Node {
		return g.Map(autodiff.Mul, n, g.Map(autodiff.AtLeast, n, x, y), g.Map(autodiff.AtLeast, n, y, x))
	}
	if name == "logical_eq" {
		return equal(n, in[0], in[1])
	}
	truth := func(x autodiff.Node) autodiff.Node { // 0 where x is, and else 1
		if r.isTruth(x) {
			return x
		}
		return g.Map(autodiff.Sub, g.Len(x), g.Scalar(1), equal(g.Len(x), x, g.Scalar(0)))
	}
	switch name {
	case "logical_negation":
		return g.Map(autodiff.Sub, n, g.Scalar(1), truth(in[0]))
	case "logical_and":
		return g.Map(autodiff.Mul, n, truth(in[0]), truth(in[1]))
	}
	return g.Map(autodiff.More, n, g.Map(autodiff.Add, n, truth(in[0]), truth(in[1])), g.Scalar(0.5))
}

// isTruth reports that the numbers of a node are 0 or 1, as comparisons make them.
func (r *Recorder) isTruth(x autodiff.Node) bool {
	n := r.Graph.At(x)
	switch n.Op {
	case autodiff.More, autodiff.AtLeast:
		return true
	case autodiff.Mul:
		return r.isTruth(n.In()[0]) && r.isTruth(n.In()[1])
	}
	return false
}

// Kernel adds the call's expansion or, where it has none, the kernel as it is.
func (r *Recorder) Kernel(at source.Span, fn *stdlib.Function, args []*eval.Value, out *eval.Value) autodiff.Node {
	if !r.Full {
		if x, ok := r.inIteration(fn, args, out); ok {
			return x
		}
	}
	if x, ok := r.expand(fn.Name, args, out); ok {
		r.note(x, fn.Name == "max" || fn.Name == "min", args) // one of the numbers, in whatever order they are compared
		if stdlib.CanReject(fn) {
			r.checks.written(r, at, fn, args, x)
		}
		if fn.Name == "softmax" && len(out.Dims) == 1 {
			r.checks.valid[x] = true
		}
		return x
	}
	if r.Full { // which looks for densities as they stand first
		if x, ok := r.inIteration(fn, args, out); ok {
			return x
		}
	}
	r.unroll = r.unroll || r.foldsUnrolled(fn, args)
	if r.tracing && fn.Pointwise != nil {
		if x, ok := r.pointwise(fn.Pointwise, args); ok {
			r.splitCalls = true
			r.unroll = r.unroll || r.iterations <= mostUnrolled && slices.ContainsFunc(args, func(a *eval.Value) bool { return len(a.X) > fewPoints })
			r.checks.pointwise(x)
			return x
		}
	}
	x, ok := r.predictor(at, fn, args)
	if !ok {
		k := NewKernelCall(at, r.kernel(fn), args)
		r.bySums(k)
		x = r.call(k, len(out.X), r.Nodes(k.ActiveArgs(args)))
		r.note(x, true, args)
	}
	if stdlib.CanReject(fn) {
		r.checks.call(x)
	}
	return x
}

// call adds a call of a kernel as it is. Equal calls are one.
func (r *Recorder) call(k *KernelCall, n int, in []autodiff.Node) autodiff.Node {
	if key, ok := k.key(); ok {
		return r.Graph.SharedOpaque(key, k, n, in...)
	}
	return r.Graph.Opaque(k, n, in...)
}

// inIteration adds the expansion of a call in the traced iteration.
func (r *Recorder) inIteration(fn *stdlib.Function, args []*eval.Value, out *eval.Value) (autodiff.Node, bool) {
	if !r.tracing || !slices.ContainsFunc(args, r.differs) {
		return autodiff.None, false
	}
	x, ok := r.apply(stdlib.Lowering(fn.Name, stdlib.ForIteration), fn.Name, args, out)
	if !ok {
		return autodiff.None, false
	}
	r.splitCalls = true
	if stdlib.CanReject(fn) { // its first number is NaN where the call is rejected
		r.checks.pointwise(r.Graph.Elem(x, 0))
	}
	return x, true
}

// foldsUnrolled reports whether a density in the traced iteration has the same parameters in all
// iterations: where the loop is unrolled, its observations become constants.
func (r *Recorder) foldsUnrolled(fn *stdlib.Function, args []*eval.Value) bool {
	if !r.tracing || r.iterations > mostUnrolled || !r.opts.Does(optRepeats) {
		return false
	}
	known, ok := stdlib.SufficientConstants(fn.Name)
	return ok && !slices.ContainsFunc(args[known:], r.differs)
}

// bySums replaces the data of a density by their statistics where that is less work.
func (r *Recorder) bySums(k *KernelCall) {
	if k.Fn.Sums == nil || r.Full || r.tracing || slices.Contains(k.Active, 0) || !r.opts.Does(optRepeats) {
		return
	}
	if fn, y, ok := k.Fn.Sums(k.Args, k.Active); ok {
		k.Fn, k.Args[0] = fn, y
	}
}

// kernel is the function, computed element by element where that is asked for.
func (r *Recorder) kernel(fn *stdlib.Function) *stdlib.Function {
	if fn.Kernel.OneByOne == nil || r.opts.Does(optBulk) {
		return fn
	}
	slow := *fn
	slow.Kernel = fn.Kernel.OneByOne
	return &slow
}

// written reports whether a function may be expanded.
func (r *Recorder) written(name string) bool {
	return r.Full || r.opts.Does(optExpand) && (r.opts.Does(optStatistics) || name != "normal_id_glm_lpdf")
}

// scalars reports whether all arguments are single numbers.
func scalars(args []*eval.Value) bool {
	return !slices.ContainsFunc(args, func(a *eval.Value) bool { return len(a.Dims) > 0 })
}

// expansion returns the expansion of a call, nil where there is none. Only those for counts accept
// integers that are not known.
func (r *Recorder) expansion(name string, args []*eval.Value) stdlib.Expander {
	unknown := func(a *eval.Value) bool { return a.T.Base == types.IntBase && a.Active() }
	known := !slices.ContainsFunc(args, unknown)
	switch {
	case known && r.Full:
		return stdlib.Lowering(name, stdlib.ForAnalysis)
	case known && r.opts.Does(optRepeats):
		return stdlib.Lowering(name, stdlib.ForEvaluation)
	case known:
		return stdlib.Lowering(name, stdlib.ForEachRow)
	case !r.Full && unknown(args[0]) && !slices.ContainsFunc(args[1:], unknown) && scalars(args):
		return stdlib.Lowering(name, stdlib.ForCounts)
	}
	return nil
}

// expand writes a call out.
func (r *Recorder) expand(name string, args []*eval.Value, out *eval.Value) (autodiff.Node, bool) {
	if x, ok := r.regression(name, args); ok {
		return x, true
	}
	return r.apply(r.expansion(name, args), name, args, out)
}

// apply writes a call out by an expansion; false where that is nil or does not know how.
func (r *Recorder) apply(e stdlib.Expander, name string, args []*eval.Value, out *eval.Value) (autodiff.Node, bool) {
	if e == nil || !r.written(name) {
		return autodiff.None, false
	}
	in := make([]stdlib.Operand, len(args))
	for i, a := range args {
		in[i] = stdlib.Operand{
			Tensor: stdlib.Tensor{Rank: eval.RankOf(a.T), Dims: a.Dims, X: a.X},
			Node:   r.Node(a),
			Active: a.Active(),
		}
		if a.T.Base.IsComplex() {
			return autodiff.None, false
		}
	}
	return e(r.Graph, len(out.X), in)
}

// Transform adds a constraint transform: bounds as elementwise nodes, the rest as
// an opaque function whose last number is the log Jacobian.
func (r *Recorder) Transform(tr *stdlib.Transform, dims []int, free *eval.Value, args []*eval.Value, out *eval.Value, _ float64) (autodiff.Node, autodiff.Node) {
	n := len(out.X)
	in := append([]autodiff.Node{r.Node(free)}, r.Nodes(args)...)
	call := &transformCall{tr: tr, dims: dims, n: n}
	if tr.Elementwise {
		if x, logJ, ok := r.bounds(tr.Name, n, free, args); ok {
			if tr.CanReject() && slices.ContainsFunc(args, (*eval.Value).Active) {
				r.checks.whole(logJ, call, n+1, in, stdlib.NotFinite)
			}
			r.note(x, true, append(args, free))
			return x, logJ
		}
	}
	y := r.Graph.Opaque(call, n+1, in...)
	r.note(y, true, append(args, free))
	if tr.CanReject() {
		r.checks.call(y)
	}
	x := r.Graph.View(y, 0, n)
	r.checks.made(tr.Name, x)
	return x, r.Graph.View(y, n, 1)
}

// Transforms writes the transform of n variables as operations, where that is known and nothing is read off the graph.
func (r *Recorder) Transforms(tr *stdlib.Transform, n int, dims []int, free *eval.Value) (x []autodiff.Node, logJ autodiff.Node, ok bool) {
	expand := stdlib.TransformLowering(tr.Name)
	if r.Full || r.Exact != nil || expand == nil || n == 0 {
		return nil, autodiff.None, false
	}
	columns, logJ, ok := expand(r.Graph, n, dims, r.Node(free))
	if !ok {
		return nil, autodiff.None, false
	}
	x = make([]autodiff.Node, n)
	for i := range x {
		refs := make([]autodiff.Ref, len(columns))
		for j, c := range columns {
			refs[j] = autodiff.Ref{Node: c}
			if r.Graph.Len(c) > 1 {
				refs[j].Elem = int32(i)
			}
		}
		x[i] = r.Graph.Gather(refs)
		r.checks.made(tr.Name, x[i])
	}
	return x, logJ, true
}

// Opaque adds a function that the evaluator made.
func (r *Recorder) Opaque(fn autodiff.Opaque, args []*eval.Value, out *eval.Value) autodiff.Node {
	x := r.Graph.Opaque(fn, len(out.X), r.Nodes(args)...)
	r.checks.call(x)
	return x
}

// Guard makes the program fail where v has other numbers than now.
func (r *Recorder) Guard(v *eval.Value) {
	r.Guards++
	r.Effects = append(r.Effects, r.Graph.Guard(r.Node(v), append([]float64(nil), v.X...)))
}
