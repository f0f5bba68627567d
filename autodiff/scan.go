// Scans: loops in which a round needs what the round before has left, as one node.

package autodiff

import (
	"fmt"
	"slices"
	"sync"
)

// A scan is the function of a loop. Its inputs are numbers that all rounds share, what
// the carries are before the first round, and vectors with an element for each round. Its
// output has, one after the other, the history of each carry (what it is before the first
// round, if rounds go forward, and after each), and for each operation that is kept its
// results in all rounds.
//
// The derivative is nodes again (scan_reverse.go): of those only what adjoints need of
// the round after is a loop, too.
type scan struct {
	rounds   int
	backward bool
	consts   []float64
	shared   int
	streams  int
	carries  []argument // what a round leaves
	ops      []bodyOp
	kept     []int32 // operations
	off      switches

	making  sync.Once
	plan    *plan
	adjoint sync.Once
	reverse *Program
}

// A bodyOp is an operation of a round on single numbers.
type bodyOp struct {
	op *Op
	in [3]argument
}

// An argument is what an operation is applied to.
type argument struct {
	from origin
	k    int32
}

type origin uint8

const (
	fromOp     origin = iota // the result of operation k
	fromConst                // a constant
	fromShared               // input k
	fromCarry                // what the round before has left
	fromStream               // the round's element
)

// args are the arguments in use.
func (o *bodyOp) args() []argument { return o.in[:o.op.Arity()] }

// history is where the output has carry i, and how many numbers of it.
func (s *scan) history(i int) (off, n int) { return i * (s.rounds + 1), s.rounds + 1 }

// before and after are where the output has a carry before and after each round.
func (s *scan) before(i int) (off int) {
	off, _ = s.history(i)
	if s.backward {
		off++
	}
	return off
}

func (s *scan) after(i int) (off int) {
	off, _ = s.history(i)
	if !s.backward {
		off++
	}
	return off
}

// initial is where the output has a carry before the first round.
func (s *scan) initial(i int) int {
	off, n := s.history(i)
	if s.backward {
		off += n - 1
	}
	return off
}

// result is where the output has kept operation k.
func (s *scan) result(k int) (off int) {
	return len(s.carries)*(s.rounds+1) + k*s.rounds
}

// size is the length of the output.
func (s *scan) size() int { return s.result(len(s.kept)) }

// scan gives the scan that a node is.
func (n *node) scan() (*scan, bool) {
	if n.kind != kindOpaque {
		return nil, false
	}
	s, ok := n.fn.(*scan)
	return s, ok
}

// String names the function in dumps.
func (s *scan) String() string {
	return fmt.Sprintf("scan of %d rounds, %d carries, %d operations, %d kept", s.rounds, len(s.carries), len(s.ops), len(s.kept))
}

// Work counts the operations of all rounds.
func (s *scan) Work() int { return s.rounds * len(s.ops) }

// Fused says that there is no fused form.
func (s *scan) Fused([]bool) (Opaque, bool) { return nil, false }

// A loopMaker makes the scan of a round.
type loopMaker struct {
	r       *Round
	s       *scan
	place   map[Node]argument
	shared  []Node
	inits   []Node
	streams []Node
	holes   []*carry
	nodes   []Node // of the operations
}

// loop makes the node of what the carries need, and the vectors of what it gives.
func (r *Round) loop(outs []Ref) {
	m := &loopMaker{r: r, s: &scan{rounds: r.n, backward: r.backward, off: r.g.off}, place: map[Node]argument{}}
	for _, c := range r.carries {
		if c.needed {
			m.place[c.hole] = argument{fromCarry, int32(len(m.holes))}
			m.holes = append(m.holes, c)
			m.inits = append(m.inits, c.init)
		}
	}
	if len(m.holes) == 0 {
		return
	}
	for _, c := range m.holes {
		m.s.carries = append(m.s.carries, m.argument(c.next))
	}
	m.keep(outs)
	m.s.shared, m.s.streams = len(m.shared), len(m.streams)
	x := r.g.Opaque(m.s, m.s.size(), slices.Concat(m.shared, m.inits, m.streams)...)
	r.scan, r.ops = x, make(map[Node]int32, len(m.nodes))
	for k, y := range m.nodes {
		r.ops[y] = int32(k)
	}
	for i, c := range m.holes {
		r.all[c.hole] = r.part(x, m.s.before(i), r.n, c.hole)
	}
	for i, c := range m.holes {
		if _, ok := r.all[c.next]; !ok {
			r.all[c.next] = r.part(x, m.s.after(i), r.n, c.next)
		}
	}
	for k, j := range m.s.kept {
		r.all[m.nodes[j]] = r.part(x, m.s.result(k), r.n, m.nodes[j])
	}
}

// part is a part of a scan's output that is a node of the round in all rounds.
func (r *Round) part(x Node, off, n int, of Node) Node {
	v := r.g.View(x, off, n)
	r.g.at(v).nonneg = r.g.at(of).nonneg
	return v
}

// argument gives where the loop has a node's number, adding operations for it.
func (m *loopMaker) argument(x Node) argument {
	if a, ok := m.place[x]; ok {
		return a
	}
	a := m.leaf(x)
	if a.from == fromOp {
		n := m.r.g.at(x)
		if n.kind != kindMap {
			m.r.fail("%s", m.r.g.describe(n))
		}
		o := bodyOp{op: n.op}
		for k, y := range n.in() {
			o.in[k] = m.argument(y)
		}
		if len(m.s.ops) == m.r.most {
			m.r.fail("the loop has too many operations")
		}
		a.k = int32(len(m.s.ops))
		m.s.ops = append(m.s.ops, o)
		m.nodes = append(m.nodes, x)
	}
	m.place[x] = a
	return a
}

// leaf places what does not depend on carries; anything else is an operation.
func (m *loopMaker) leaf(x Node) argument {
	g := m.r.g
	if m.r.reach(x) == onCarries {
		return argument{from: fromOp}
	}
	v := m.r.vector(x)
	if c, ok := g.scalarValue(v); ok {
		m.s.consts = append(m.s.consts, c)
		return argument{fromConst, int32(len(m.s.consts) - 1)}
	}
	if g.Len(v) == 1 {
		m.shared = append(m.shared, v)
		return argument{fromShared, int32(len(m.shared) - 1)}
	}
	m.streams = append(m.streams, v)
	return argument{fromStream, int32(len(m.streams) - 1)}
}

// keep chooses the operations whose results are kept: those that outs use, and those that
// derivatives use.
//
// A product with what is known outside of the loop is not kept where only outs use it: it
// is done again there, often as part of a sum.
func (m *loopMaker) keep(outs []Ref) {
	keep := make([]bool, len(m.s.ops))
	mark := func(a argument) {
		if a.from == fromOp {
			keep[a.k] = true
		}
	}
	seen := map[Node]bool{}
	var use func(x Node)
	use = func(x Node) {
		if seen[x] || m.r.reach(x) != onCarries {
			return
		}
		seen[x] = true
		if a, ok := m.place[x]; ok {
			if a.from == fromOp && m.cheap(&m.s.ops[a.k]) {
				for _, b := range m.s.ops[a.k].args() {
					mark(b)
				}
				return
			}
			mark(a)
			return
		}
		for _, y := range m.r.inputs(x) {
			use(y)
		}
	}
	for _, ref := range outs {
		use(m.r.scalar(ref))
	}
	for i := range m.s.ops {
		o := &m.s.ops[i]
		args, result := derivativeUses(o.op)
		keep[i] = keep[i] || result
		for _, a := range o.args() {
			if args {
				mark(a)
			}
		}
	}
	for _, a := range m.s.carries { // these are kept anyway
		if a.from == fromOp {
			keep[a.k] = false
		}
	}
	for i, yes := range keep {
		if yes {
			m.s.kept = append(m.s.kept, int32(i))
		}
	}
}

// cheap says whether an operation is a product with what is known outside of the loop.
func (m *loopMaker) cheap(o *bodyOp) bool {
	inside := func(a argument) bool { return a.from == fromOp || a.from == fromCarry }
	return o.op == Neg || o.op == Mul && !(inside(o.in[0]) && inside(o.in[1]))
}

// derivativeUses says whether the derivative of an operation is made of its arguments, and
// of its result.
func derivativeUses(op *Op) (args, result bool) {
	switch op {
	case Add, Sub, Neg, Shift:
		return false, false
	case Mul, Square, Log, Log1p, Log1pExp:
		return true, false
	case Exp, Sqrt, Inv:
		return false, true
	}
	return op.Differentiable(), op.Differentiable()
}
