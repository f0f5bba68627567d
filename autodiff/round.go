// Rounds: a loop whose rounds are alike, recorded once for all of them.

package autodiff

import (
	"errors"
	"fmt"
	"slices"
)

// A Round is one round of a loop, as nodes of a graph in which stand-ins are in place of
// the numbers that differ from round to round: steps, which are known before the loop,
// carries, which a round leaves for the next, and choices among numbers of the round. Nodes
// are made of stand-ins as of any others. When the round is closed, what does not depend on
// carries becomes operations on vectors with an element for each round, and what the
// carries themselves need becomes one node, a loop.
//
// Stand-ins have no value: what depends on one means something only to its Round.
type Round struct {
	g        *Graph
	n        int
	backward bool // from the last round to the first
	most     int  // operations that the loop may have
	carries  []*carry
	of       map[Node]*carry // by their stand-ins
	all      map[Node]Node   // of what was made of stand-ins: the vector of its numbers
	swapped  map[Node]Node   // stand-ins with what is in their place
	picks    map[Node]*choice
	scalars  map[Ref]Node        // elements of nodes as nodes of length 1
	reaches  map[Node]dependence // of nodes
	first    Node                // stand-in; nodes before it are the same in all rounds
	partials map[Node]Node       // derivatives of the round, for all rounds
	scan     Node                // of what the carries need; ops are its operations
	ops      map[Node]int32
}

// A carry is a number that a round leaves for the next.
type carry struct {
	hole, init, next Node
	rooted           bool // the carry is the square root of what this is
	needed           bool
}

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

// Round begins the recording of n rounds, of which there must be two at least.
func (g *Graph) Round(n int) *Round {
	return &Round{g: g, n: n, most: maxCore, of: map[Node]*carry{}, all: map[Node]Node{}, swapped: map[Node]Node{},
		picks: map[Node]*choice{}, scalars: map[Ref]Node{}, reaches: map[Node]dependence{}, partials: map[Node]Node{}, first: Node(g.Size())}
}

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
func (r *Round) Carry(init Node) Node {
	c := &carry{hole: r.g.hole(true, false), init: init}
	r.carries = append(r.carries, c)
	r.of[c.hole], r.reaches[c.hole] = c, onCarries
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
func (r *Round) Close(next, outs []Ref) (err error) {
	defer func() {
		if e := recover(); e != nil {
			failed, ok := e.(roundError)
			if !ok {
				panic(e)
			}
			err = failed
		}
	}()
	next = r.beforeRoots(next)
	for i, c := range r.carries {
		c.next = r.scalar(next[i])
	}
	for _, ref := range outs {
		r.scalar(ref)
	}
	r.settle()
	r.need(outs)
	r.loop(outs)
	return nil
}

// roundError is a panic of Close that becomes its error.
type roundError struct{ error }

// Unwrap gives the error.
func (e roundError) Unwrap() error { return e.error }

func (r *Round) fail(format string, args ...any) {
	panic(roundError{fmt.Errorf("%w: %s", errRound, fmt.Sprintf(format, args...))})
}

// beforeRoots lets carries that are square roots be what the root is taken of: it is
// often squared in the next round. It gives the new list of next.
func (r *Round) beforeRoots(next []Ref) []Ref {
	out := append([]Ref(nil), next...)
	for i, c := range r.carries {
		x := r.g.resolve(next[i]).Node
		n := r.g.at(x)
		if n.kind != kindMap || n.op != Sqrt || n.n != 1 || !r.g.does(optRoots) {
			continue
		}
		if !r.g.at(n.few[0]).nonneg || !r.g.at(c.init).nonneg || r.reach(x) != onCarries {
			continue
		}
		square := r.g.hole(true, true)
		delete(r.of, c.hole)
		r.of[square], r.reaches[square] = c, onCarries
		r.swapped[c.hole] = r.g.Map(Sqrt, 1, square)
		c.rooted, c.hole, c.init, out[i] = true, square, r.g.Map(Square, 1, c.init), Ref{Node: n.few[0]}
	}
	return out
}

// settle finds the carries that are none: those that keep their value, and those that
// are what a step was one round before.
func (r *Round) settle() {
	for again := true; again; {
		again = false
		for _, c := range r.carries {
			if _, ok := r.all[c.hole]; ok {
				continue
			}
			switch {
			case c.next == c.hole:
				r.become(c.hole, c.init)
			case r.reach(c.next) != onCarries:
				r.become(c.hole, r.delayed(c.init, r.vector(c.next)))
			default:
				continue
			}
			again = true
			r.forget()
		}
	}
}

// forget drops what is known of dependences, but for stand-ins.
func (r *Round) forget() {
	for x := range r.reaches {
		if r.g.at(x).kind != kindHole || r.picks[x] != nil {
			delete(r.reaches, x)
		}
	}
}

// delayed is a vector a round later, init being first; x may be one number.
func (r *Round) delayed(init, x Node) Node {
	if x == init {
		return x
	}
	refs := make([]Ref, r.n)
	for t := range refs {
		from := t - 1
		if r.backward {
			from = t + 1
		}
		switch {
		case from < 0 || from == r.n:
			refs[t] = Ref{Node: init}
		case r.g.Len(x) == 1:
			refs[t] = Ref{Node: x}
		default:
			refs[t] = Ref{x, int32(from)}
		}
	}
	return r.g.Gather(refs)
}

// need marks the carries that outs depend on.
func (r *Round) need(outs []Ref) {
	seen := map[Node]bool{}
	var visit func(x Node)
	visit = func(x Node) {
		if seen[x] || r.reach(x) != onCarries {
			return
		}
		seen[x] = true
		if c := r.of[x]; c != nil {
			c.needed = true
			visit(c.next)
			return
		}
		for _, y := range r.inputs(x) {
			visit(y)
		}
	}
	for _, ref := range outs {
		visit(r.scalar(ref))
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
	if len(r.scalars)/8 > r.most {
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

// Recurs says whether a round needs what the round before has left. The round must be
// closed.
func (r *Round) Recurs() bool {
	return slices.ContainsFunc(r.carries, func(c *carry) bool { return c.needed })
}

// History gives a carry before the first round and after each, for carry i in the order
// in which they were made; None where the loop does not need it.
func (r *Round) History(i int) Node {
	c := r.carries[i]
	if !c.needed || r.backward {
		return None
	}
	before := r.g.at(r.all[c.hole])
	x := r.part(before.in()[0], int(before.off), r.n+1, c.hole)
	if c.rooted {
		return r.g.Map(Sqrt, r.n+1, x)
	}
	return x
}

// Vector gives an element of a node in all rounds: a vector of their number, or a node of
// length 1 where it is the same in all. The round must be closed, and the element among
// its outs.
func (r *Round) Vector(ref Ref) Node { return r.vector(r.scalar(ref)) }

// Final gives an element of a node in the round that comes last.
func (r *Round) Final(ref Ref) Node {
	if r.backward {
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
