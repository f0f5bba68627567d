// Loop bodies: a loop whose iterations do the same operations is recorded once for all of them.

package autodiff

import (
	"errors"
	"fmt"
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
	g        *Graph
	n        int
	loop     *Loop
	at       []int32       // of a variant among others: its iterations among those of the loop
	carries  []carriedVar  // those of the loop
	of       map[Node]int  // carries by their placeholders
	all      map[Node]Node // of what was made of placeholders: the vector of its numbers
	swapped  map[Node]Node // placeholders with what is in their place
	picks    map[Node]*choice
	scalars  map[Ref]Node        // elements of nodes as nodes of length 1
	reaches  map[Node]dependence // of nodes
	first    Node                // placeholder; nodes before it are the same in all iterations
	partials map[Node]Node       // derivatives of the iteration, for all iterations
	ops      map[Node]int32      // operations of the loop
}

// A carriedVar is a loop-carried variable: its placeholder, and what the iteration leaves of it.
type carriedVar struct{ placeholder, next Node }

// A dependence says what makes a node differ between iterations.
type dependence uint8

const (
	onNothing dependence = iota // it is made of no placeholder
	onFixed                     // of placeholders for what is the same in all iterations
	onSteps
	onCarries
)

// errBody is why an iteration cannot be closed.
var errBody = errors.New("autodiff: the iterations have no common form")

// maxCore is the greatest number of operations of an iteration that a loop is made of; its
// derivative may have more. The products of larger ones are better done by kernels.
const maxCore = 1 << 12

// LoopBody begins the recording of n iterations of one variant, of which there must be two at least.
func (g *Graph) LoopBody(n int) *LoopBody { return g.Loop(n).Variant(nil) }

// placeholder makes a node without a value of its own.
func (g *Graph) placeholder(active, nonneg bool) Node {
	x := g.add(node{kind: kindPlaceholder, n: 1, active: active})
	g.at(x).nonneg = nonneg
	return x
}

// Step makes the placeholder of a number that is element t of source in iteration t, from 0.
func (r *LoopBody) Step(source Node) Node {
	n := r.g.at(source)
	x := r.g.placeholder(n.active, n.nonneg)
	r.define(x, source)
	return x
}

// define sets what a placeholder is in all iterations: an element of a vector in each, or one
// number.
func (r *LoopBody) define(x, source Node) {
	r.all[x] = source
	r.reaches[x] = onSteps
	if r.g.Len(source) == 1 {
		r.reaches[x] = onFixed
	}
}

// Carry makes the placeholder of a number that is init, a node of length 1, in the first
// iteration, and in others what the iteration before left.
func (r *LoopBody) Carry(init Node) Node { return r.CarryIn(r.loop.Carry(init)) }

// CarryIn returns the placeholder of carry i of the loop: what it is before an iteration.
func (r *LoopBody) CarryIn(i int) Node {
	for len(r.carries) <= i {
		r.carries = append(r.carries, carriedVar{placeholder: None})
	}
	c := &r.carries[i]
	if c.placeholder == None {
		c.placeholder = r.g.placeholder(true, false)
		r.of[c.placeholder], r.reaches[c.placeholder] = i, onCarries
	}
	return c.placeholder
}

// inputs are the nodes that a node is made of.
func (r *LoopBody) inputs(x Node) []Node {
	p := r.picks[x]
	switch {
	case p == nil:
		return r.g.at(x).in()
	case p.nodes != nil:
		return p.nodes
	}
	in := make([]Node, len(p.refs))
	for k, ref := range p.refs {
		in[k] = ref.Node
	}
	return in
}

// Depends reports whether a node is made of placeholders.
func (r *LoopBody) Depends(x Node) bool { return r.reach(x) != onNothing }

// Carried reports whether a node is made of placeholders of loop-carried variables.
func (r *LoopBody) Carried(x Node) bool { return r.reach(x) == onCarries }

// reach returns what a node depends on.
func (r *LoopBody) reach(x Node) dependence {
	if x < r.first {
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
func (r *LoopBody) Close(next, outs []Ref) error {
	return r.loop.Close([]*LoopBody{r}, [][]Ref{next}, [][]Ref{outs})
}

// bodyError is a panic of Close that becomes its error.
type bodyError struct{ error }

// Unwrap returns the error.
func (e bodyError) Unwrap() error { return e.error }

func (r *LoopBody) fail(format string, args ...any) {
	panic(bodyError{fmt.Errorf("%w: %s", errBody, fmt.Sprintf(format, args...))})
}

// resetDependences drops what is known of dependences, but for placeholders.
func (r *LoopBody) resetDependences() {
	for x := range r.reaches {
		if r.g.at(x).kind != kindPlaceholder || r.picks[x] != nil {
			delete(r.reaches, x)
		}
	}
}

// scalar returns an element of a node as a node of length 1 that is made of such nodes.
func (r *LoopBody) scalar(ref Ref) Node {
	g := r.g
	n := g.at(ref.Node)
	if r.reach(ref.Node) == onNothing {
		return g.Elem(ref.Node, int(ref.Elem))
	}
	if n.n == 1 {
		ref.Elem = 0
	}
	if x, ok := r.scalars[ref]; ok {
		return x
	}
	x := r.element(ref, n)
	r.scalars[ref] = x
	if len(r.scalars)/8 > r.loop.maxOps {
		r.fail("an iteration has too many operations")
	}
	return x
}

func (r *LoopBody) element(ref Ref, n *node) Node {
	g, i := r.g, ref.Elem
	switch n.kind {
	case kindPlaceholder:
		if x, ok := r.swapped[ref.Node]; ok {
			return x
		}
		if p := r.picks[ref.Node]; p != nil && p.nodes == nil {
			nodes := make([]Node, len(p.refs))
			for k, y := range p.refs {
				nodes[k] = r.scalar(y)
			}
			p.nodes = nodes
		}
		return ref.Node
	case kindMap:
		in := make([]Node, len(n.in()))
		same := n.n == 1
		for k, y := range n.in() {
			in[k] = r.scalar(Ref{y, i})
			same = same && in[k] == y
		}
		if same {
			return ref.Node
		}
		return g.Map(n.op, 1, in...)
	case kindPartials:
		return ref.Node
	case kindView:
		if g.at(n.in()[0]).kind == kindPartials {
			return ref.Node
		}
		return r.scalar(Ref{n.in()[0], i + n.off})
	case kindGather:
		inner := n.refs[i]
		return r.scalar(Ref{n.in()[inner.Node], inner.Elem})
	case kindSum:
		return r.sum(g.Len(n.in()[0]), func(k int) Node { return r.scalar(Ref{n.in()[0], int32(k)}) })
	case kindDot:
		return r.sum(g.Len(n.in()[0]), func(k int) Node { return r.product(n, int32(k), int32(k)) })
	case kindMatVec:
		return r.sum(g.Len(n.in()[1]), func(k int) Node { return r.product(n, i+int32(k)*n.off, int32(k)) })
	}
	r.fail("%s", g.describe(n))
	return None
}

// product multiplies element i of a node's first input by element j of its second.
func (r *LoopBody) product(n *node, i, j int32) Node {
	return r.g.Map(Mul, 1, r.scalar(Ref{n.in()[0], i}), r.scalar(Ref{n.in()[1], j}))
}

// sum adds n numbers in pairs.
func (r *LoopBody) sum(n int, term func(i int) Node) Node {
	list := make([]Node, n)
	for i := range list {
		list[i] = term(i)
	}
	for len(list) > 1 {
		half := (len(list) + 1) / 2
		for i := half; i < len(list); i++ {
			list[i-half] = r.g.Map(Add, 1, list[i-half], list[i])
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
func (r *LoopBody) Vector(ref Ref) Node { return r.vector(r.scalar(ref)) }

// Final returns an element of a node in the iteration that comes last.
func (r *LoopBody) Final(ref Ref) Node {
	if r.loop.backward {
		return r.g.Elem(r.Vector(ref), 0)
	}
	return r.g.Elem(r.Vector(ref), r.n-1)
}

// vector is Vector of a scalar node.
func (r *LoopBody) vector(x Node) Node {
	if v, ok := r.all[x]; ok {
		return v
	}
	if r.reach(x) == onNothing {
		return x
	}
	n := r.g.at(x)
	var v Node
	switch n.kind {
	case kindPlaceholder: // one of several
		v = r.picked(r.picks[x])
	case kindMap:
		in, size := r.vectors(n.in())
		v = r.g.Map(n.op, size, in...)
	case kindPartials: // of an operation of one argument
		v = r.derivatives(x, 0)
	case kindView: // of those of one of more
		v = r.derivatives(n.in()[0], int(n.off))
	default:
		r.fail("%s", r.g.describe(n))
	}
	r.all[x] = v
	return v
}

// vectors returns nodes in all iterations, and the greatest length.
func (r *LoopBody) vectors(list []Node) (out []Node, size int) {
	out = make([]Node, len(list))
	for i, x := range list {
		out[i] = r.vector(x)
		size = max(size, r.g.Len(out[i]))
	}
	return out, size
}

// derivatives returns derivative k of a node of partial derivatives of one number in all
// iterations.
func (r *LoopBody) derivatives(d Node, k int) Node {
	p := r.g.at(d)
	in, size := r.vectors(p.in())
	all, ok := r.partials[d]
	if !ok {
		all = r.g.add(node{kind: kindPartials, op: p.op, n: p.n * int32(size)}.withAll(in))
		r.partials[d] = all
	}
	return r.g.View(all, k*size, size)
}
