// Loop bodies: a loop whose iterations do the same operations is recorded once for all of them.

package loop

import (
	"errors"
	"fmt"

	"github.com/seed-12b88e03/ppl/autodiff/internal/graph"
)

// A LoopBody is one iteration of a loop, as nodes of a graph in which placeholders are in place of
// the numbers that differ between iterations: steps, which are known before the loop, carries,
// which an iteration leaves for the next, and choices among numbers of the iteration. Nodes are
// made of placeholders as of any others. When the iteration is closed, what does not depend on
// carries becomes operations on vectors with an element for each iteration, and what the carries
// themselves need becomes one node, a loop.
//
// Placeholders have no value: what depends on one means something only to its LoopBody.
//
// A loop whose iterations are of several variants (Loop) has a LoopBody for each: then "all iterations"
// are those of the variant.
type LoopBody struct {
	g        *graph.Graph
	N        int
	Loop     *Loop
	at       []int32                   // of a variant among others: its iterations among those of the loop
	carries  []carriedVar              // those of the loop
	of       map[graph.Node]int        // carries by their placeholders
	All      map[graph.Node]graph.Node // of what was made of placeholders: the vector of its numbers
	swapped  map[graph.Node]graph.Node // placeholders with what is in their place
	picks    map[graph.Node]*choice
	scalars  map[graph.Ref]graph.Node  // elements of nodes as nodes of length 1
	reaches  map[graph.Node]dependence // of nodes
	First    graph.Node                // placeholder; nodes before it are the same in all iterations
	partials map[graph.Node]graph.Node // derivatives of the iteration, for all iterations
	ops      map[graph.Node]int32      // operations of the loop
}

// A carriedVar is a loop-carried variable: its placeholder, and what the iteration leaves of it.
type carriedVar struct{ placeholder, next graph.Node }

// A dependence says what makes a node differ between iterations.
type dependence uint8

const (
	onNothing dependence = iota // it is made of no placeholder
	onFixed                     // of placeholders for what is the same in all iterations
	onSteps
	onCarries
)

// ErrBody is why an iteration cannot be closed.
var ErrBody = errors.New("autodiff: the iterations have no common form")

// MaxCore is the greatest number of operations of an iteration that a loop is made of; its
// derivative may have more. The products of larger ones are better done by kernels.
const MaxCore = 1 << 12

// placeholder makes a node without a value of its own.
func placeholder(g *graph.Graph, active, nonneg bool) graph.Node {
	x := g.Add(graph.NodeDef{Kind: graph.KindPlaceholder, N: 1, Active: active})
	g.At(x).Nonneg = nonneg
	return x
}

// Step makes the placeholder of a number that is element t of source in iteration t, from 0.
func (r *LoopBody) Step(source graph.Node) graph.Node {
	n := r.g.At(source)
	x := placeholder(r.g, n.Active, n.Nonneg)
	r.define(x, source)
	return x
}

// define sets what a placeholder is in all iterations: an element of a vector in each, or one
// number.
func (r *LoopBody) define(x, source graph.Node) {
	r.All[x] = source
	r.reaches[x] = onSteps
	if r.g.Len(source) == 1 {
		r.reaches[x] = onFixed
	}
}

// Carry makes the placeholder of a number that is init, a node of length 1, in the first
// iteration, and in others what the iteration before left.
func (r *LoopBody) Carry(init graph.Node) graph.Node { return r.CarryIn(r.Loop.Carry(init)) }

// CarryIn returns the placeholder of carry i of the loop: what it is before an iteration.
func (r *LoopBody) CarryIn(i int) graph.Node {
	for len(r.carries) <= i {
		r.carries = append(r.carries, carriedVar{placeholder: graph.None})
	}
	c := &r.carries[i]
	if c.placeholder == graph.None {
		c.placeholder = placeholder(r.g, true, false)
		r.of[c.placeholder], r.reaches[c.placeholder] = i, onCarries
	}
	return c.placeholder
}

// inputs are the nodes that a node is made of.
func (r *LoopBody) inputs(x graph.Node) []graph.Node {
	p := r.picks[x]
	switch {
	case p == nil:
		return r.g.At(x).In()
	case p.nodes != nil:
		return p.nodes
	}
	in := make([]graph.Node, len(p.refs))
	for k, ref := range p.refs {
		in[k] = ref.Node
	}
	return in
}

// Depends reports whether a node is made of placeholders.
func (r *LoopBody) Depends(x graph.Node) bool { return r.reach(x) != onNothing }

// Carried reports whether a node is made of placeholders of loop-carried variables.
func (r *LoopBody) Carried(x graph.Node) bool { return r.reach(x) == onCarries }

// reach returns what a node depends on.
func (r *LoopBody) reach(x graph.Node) dependence {
	if x < r.First {
		return onNothing
	}
	if d, ok := r.reaches[x]; ok {
		return d
	}
	d := onNothing
	if r.picks[x] != nil {
		d = onSteps
	}
	for _, y := range r.inputs(x) {
		d = max(d, r.reach(y))
	}
	r.reaches[x] = d
	return d
}

// Close ends the recording: next is what the carries are after an iteration, in the order in
// which they were made, and outs are what else is wanted of it. It fails where the iteration
// uses functions that cannot be done in many iterations at once.
func (r *LoopBody) Close(next, outs []graph.Ref) error {
	return r.Loop.Close([]*LoopBody{r}, [][]graph.Ref{next}, [][]graph.Ref{outs})
}

// bodyError is a panic of Close that becomes its error.
type bodyError struct{ error }

// Unwrap returns the error.
func (e bodyError) Unwrap() error { return e.error }

func (r *LoopBody) fail(format string, args ...any) {
	panic(bodyError{fmt.Errorf("%w: %s", ErrBody, fmt.Sprintf(format, args...))})
}

// resetDependences forgets the dependences of all nodes but placeholders.
func (r *LoopBody) resetDependences() {
	for x := range r.reaches {
		if r.g.At(x).Kind != graph.KindPlaceholder || r.picks[x] != nil {
			delete(r.reaches, x)
		}
	}
}

// scalar returns an element of a node as a node of length 1 that is made of such nodes.
func (r *LoopBody) scalar(ref graph.Ref) graph.Node {
	g := r.g
	n := g.At(ref.Node)
	if r.reach(ref.Node) == onNothing {
		return g.Elem(ref.Node, int(ref.Elem))
	}
	if n.N == 1 {
		ref.Elem = 0
	}
	if x, ok := r.scalars[ref]; ok {
		return x
	}
	x := r.element(ref, n)
	r.scalars[ref] = x
	if len(r.scalars)/8 > r.Loop.MaxOps {
		r.fail("an iteration has too many operations")
	}
	return x
}

func (r *LoopBody) element(ref graph.Ref, n *graph.NodeDef) graph.Node {
	g, i := r.g, ref.Elem
	switch n.Kind {
	case graph.KindPlaceholder:
		if x, ok := r.swapped[ref.Node]; ok {
			return x
		}
		if p := r.picks[ref.Node]; p != nil && p.nodes == nil {
			nodes := make([]graph.Node, len(p.refs))
			for k, y := range p.refs {
				nodes[k] = r.scalar(y)
			}
			p.nodes = nodes
		}
		return ref.Node
	case graph.KindMap:
		in := make([]graph.Node, len(n.In()))
		same := n.N == 1
		for k, y := range n.In() {
			in[k] = r.scalar(graph.Ref{Node: y, Elem: i})
			same = same && in[k] == y
		}
		if same {
			return ref.Node
		}
		return g.Map(n.Op, 1, in...)
	case graph.KindPartials:
		return ref.Node
	case graph.KindView:
		if g.At(n.In()[0]).Kind == graph.KindPartials {
			return ref.Node
		}
		return r.scalar(graph.Ref{Node: n.In()[0], Elem: i + n.Off})
	case graph.KindGather:
		inner := n.Refs[i]
		return r.scalar(graph.Ref{Node: n.In()[inner.Node], Elem: inner.Elem})
	case graph.KindSum:
		return r.sum(g.Len(n.In()[0]), func(k int) graph.Node { return r.scalar(graph.Ref{Node: n.In()[0], Elem: int32(k)}) })
	case graph.KindDot:
		return r.sum(g.Len(n.In()[0]), func(k int) graph.Node { return r.product(n, int32(k), int32(k)) })
	case graph.KindMatVec:
		return r.sum(g.Len(n.In()[1]), func(k int) graph.Node { return r.product(n, i+int32(k)*n.Off, int32(k)) })
	}
	r.fail("%s", g.Describe(n))
	return graph.None
}

// product multiplies element i of a node's first input by element j of its second.
func (r *LoopBody) product(n *graph.NodeDef, i, j int32) graph.Node {
	return r.g.Map(graph.Mul, 1, r.scalar(graph.Ref{Node: n.In()[0], Elem: i}), r.scalar(graph.Ref{Node: n.In()[1], Elem: j}))
}

// sum adds n numbers in pairs.
func (r *LoopBody) sum(n int, term func(i int) graph.Node) graph.Node {
	list := make([]graph.Node, n)
	for i := range list {
		list[i] = term(i)
	}
	for len(list) > 1 {
		half := (len(list) + 1) / 2
		for i := half; i < len(list); i++ {
			list[i-half] = r.g.Map(graph.Add, 1, list[i-half], list[i])
		}
		list = list[:half]
	}
	if n == 0 {
		return r.g.Scalar(0)
	}
	return list[0]
}

// Vector returns an element of a node in all iterations: a vector of their number, or a node of
// length 1 where it is the same in all. The iteration must be closed, and the element among
// its outs.
func (r *LoopBody) Vector(ref graph.Ref) graph.Node { return r.vector(r.scalar(ref)) }

// Final returns an element of a node in the iteration that comes last.
func (r *LoopBody) Final(ref graph.Ref) graph.Node {
	if r.Loop.Backward {
		return r.g.Elem(r.Vector(ref), 0)
	}
	return r.g.Elem(r.Vector(ref), r.N-1)
}

// vector is Vector of a scalar node.
func (r *LoopBody) vector(x graph.Node) graph.Node {
	if v, ok := r.All[x]; ok {
		return v
	}
	if r.reach(x) == onNothing {
		return x
	}
	n := r.g.At(x)
	var v graph.Node
	switch n.Kind {
	case graph.KindPlaceholder: // one of several
		v = r.picked(r.picks[x])
	case graph.KindMap:
		in, size := r.vectors(n.In())
		v = r.g.Map(n.Op, size, in...)
	case graph.KindPartials: // of an operation of one argument
		v = r.derivatives(x, 0)
	case graph.KindView: // of those of one of more
		v = r.derivatives(n.In()[0], int(n.Off))
	default:
		r.fail("%s", r.g.Describe(n))
	}
	r.All[x] = v
	return v
}

// vectors returns nodes in all iterations, and the greatest length.
func (r *LoopBody) vectors(list []graph.Node) (out []graph.Node, size int) {
	out = make([]graph.Node, len(list))
	for i, x := range list {
		out[i] = r.vector(x)
		size = max(size, r.g.Len(out[i]))
	}
	return out, size
}

// derivatives returns derivative k of a node of partial derivatives of one number in all
// iterations.
func (r *LoopBody) derivatives(d graph.Node, k int) graph.Node {
	p := r.g.At(d)
	in, size := r.vectors(p.In())
	all, ok := r.partials[d]
	if !ok {
		all = r.g.Add(graph.NodeDef{Kind: graph.KindPartials, Op: p.Op, N: p.N * int32(size)}.WithAll(in))
		r.partials[d] = all
	}
	return r.g.View(all, k*size, size)
}
