// Rounds: a loop whose rounds are alike, recorded once for all of them.

package autodiff

import (
	"errors"
	"fmt"
)

// A Round is one round of a loop, as nodes of a graph in which stand-ins are in place of
// the numbers that differ from round to round: steps, which are known before the loop,
// carries, which a round leaves for the next, and choices among numbers of the round. Nodes
// are made of stand-ins as of any others. When the round is closed, what does not depend on
// carries becomes operations on vectors with an element for each round, and what the
// carries themselves need becomes one node, a loop.
//
// Stand-ins have no value: what depends on one means something only to its Round.
//
// A loop whose rounds are of several kinds (Rounds) has a Round for each: then "all rounds" are
// those of the kind.
type Round struct {
	g        *Graph
	n        int
	loop     *Rounds
	at       []int32       // of a kind among others: its rounds among those of the loop
	carries  []handed      // those of the loop
	of       map[Node]int  // carries by their stand-ins
	all      map[Node]Node // of what was made of stand-ins: the vector of its numbers
	swapped  map[Node]Node // stand-ins with what is in their place
	picks    map[Node]*choice
	scalars  map[Ref]Node        // elements of nodes as nodes of length 1
	reaches  map[Node]dependence // of nodes
	first    Node                // stand-in; nodes before it are the same in all rounds
	partials map[Node]Node       // derivatives of the round, for all rounds
	ops      map[Node]int32      // operations of the loop
}

// A handed is the stand-in of a carry, and what the round leaves of it.
type handed struct{ hole, next Node }

// A dependence says what makes a node differ from round to round.
type dependence uint8

const (
	onNothing dependence = iota // it is made of no stand-in
	onFixed                     // of stand-ins for what is the same in all rounds
	onSteps
	onCarries
)

// errRound is why a round cannot be closed.
var errRound = errors.New("autodiff: the rounds have no common form")

// maxCore is the greatest number of operations of a round that a loop is made of; its
// derivative may have more. The products of larger ones are better done by kernels.
const maxCore = 1 << 12

// Round begins the recording of n rounds of one kind, of which there must be two at least.
func (g *Graph) Round(n int) *Round { return g.Rounds(n).Kind(nil) }

// hole makes a stand-in.
func (g *Graph) hole(active, nonneg bool) Node {
	x := g.add(node{kind: kindHole, n: 1, active: active})
	g.at(x).nonneg = nonneg
	return x
}

// Step makes the stand-in of a number that is element t of source in round t, from 0.
func (r *Round) Step(source Node) Node {
	n := r.g.at(source)
	x := r.g.hole(n.active, n.nonneg)
	r.become(x, source)
	return x
}

// become says what a stand-in is in all rounds: an element of a vector in each, or one
// number.
func (r *Round) become(x, source Node) {
	r.all[x] = source
	r.reaches[x] = onSteps
	if r.g.Len(source) == 1 {
		r.reaches[x] = onFixed
	}
}

// Carry makes the stand-in of a number that is init, a node of length 1, in the first
// round, and in others what the round before left.
func (r *Round) Carry(init Node) Node { return r.Before(r.loop.Carry(init)) }

// Before gives the stand-in of carry i of the loop: what it is before a round.
func (r *Round) Before(i int) Node {
	for len(r.carries) <= i {
		r.carries = append(r.carries, handed{hole: None})
	}
	c := &r.carries[i]
	if c.hole == None {
		c.hole = r.g.hole(true, false)
		r.of[c.hole], r.reaches[c.hole] = i, onCarries
	}
	return c.hole
}

// inputs are the nodes that a node is made of.
func (r *Round) inputs(x Node) []Node {
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

// Depends says whether a node is made of stand-ins.
func (r *Round) Depends(x Node) bool { return r.reach(x) != onNothing }

// Carried says whether a node is made of stand-ins for what rounds hand on.
func (r *Round) Carried(x Node) bool { return r.reach(x) == onCarries }

// reach says what a node depends on.
func (r *Round) reach(x Node) dependence {
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

// Close ends the recording: next is what the carries are after a round, in the order in
// which they were made, and outs are what else is wanted of it. It fails where the round
// uses functions that cannot be done in many rounds at once.
func (r *Round) Close(next, outs []Ref) error {
	return r.loop.Close([]*Round{r}, [][]Ref{next}, [][]Ref{outs})
}

// roundError is a panic of Close that becomes its error.
type roundError struct{ error }

// Unwrap gives the error.
func (e roundError) Unwrap() error { return e.error }

func (r *Round) fail(format string, args ...any) {
	panic(roundError{fmt.Errorf("%w: %s", errRound, fmt.Sprintf(format, args...))})
}

// forget drops what is known of dependences, but for stand-ins.
func (r *Round) forget() {
	for x := range r.reaches {
		if r.g.at(x).kind != kindHole || r.picks[x] != nil {
			delete(r.reaches, x)
		}
	}
}

// scalar gives an element of a node as a node of length 1 that is made of such nodes.
func (r *Round) scalar(ref Ref) Node {
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
	if len(r.scalars)/8 > r.loop.most {
		r.fail("a round has too many operations")
	}
	return x
}

func (r *Round) element(ref Ref, n *node) Node {
	g, i := r.g, ref.Elem
	switch n.kind {
	case kindHole:
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
func (r *Round) product(n *node, i, j int32) Node {
	return r.g.Map(Mul, 1, r.scalar(Ref{n.in()[0], i}), r.scalar(Ref{n.in()[1], j}))
}

// sum adds n numbers in pairs.
func (r *Round) sum(n int, term func(i int) Node) Node {
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

// Vector gives an element of a node in all rounds: a vector of their number, or a node of
// length 1 where it is the same in all. The round must be closed, and the element among
// its outs.
func (r *Round) Vector(ref Ref) Node { return r.vector(r.scalar(ref)) }

// Final gives an element of a node in the round that comes last.
func (r *Round) Final(ref Ref) Node {
	if r.loop.backward {
		return r.g.Elem(r.Vector(ref), 0)
	}
	return r.g.Elem(r.Vector(ref), r.n-1)
}

// vector is Vector of a scalar node.
func (r *Round) vector(x Node) Node {
	if v, ok := r.all[x]; ok {
		return v
	}
	if r.reach(x) == onNothing {
		return x
	}
	n := r.g.at(x)
	var v Node
	switch n.kind {
	case kindHole: // one of several
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

// vectors gives nodes in all rounds, and the greatest length.
func (r *Round) vectors(list []Node) (out []Node, size int) {
	out = make([]Node, len(list))
	for i, x := range list {
		out[i] = r.vector(x)
		size = max(size, r.g.Len(out[i]))
	}
	return out, size
}

// derivatives gives derivative k of a node of partial derivatives of one number in all
// rounds.
func (r *Round) derivatives(d Node, k int) Node {
	p := r.g.at(d)
	in, size := r.vectors(p.in())
	all, ok := r.partials[d]
	if !ok {
		all = r.g.add(node{kind: kindPartials, op: p.op, n: p.n * int32(size)}.withAll(in))
		r.partials[d] = all
	}
	return r.g.View(all, k*size, size)
}
