// How iterations that were recorded become a scan.

package autodiff

import "slices"

// A loopMaker makes the scan of some iterations.
type loopMaker struct {
	l       *Loop
	s       *scan
	shared  []Node
	sharing map[Node]int32
	streams []stream
}

// A stream has a number for each iteration of the variants that use it.
type stream struct {
	source Node         // what the numbers are part of; None of constants
	of     map[int]Node // for each variant, those of its iterations
}

// A bodyMaker makes the body of a variant.
type bodyMaker struct {
	*loopMaker
	r       *LoopBody
	variant int
	b       *body
	place   map[Node]argument
	nodes   []Node // of the operations
}

// loop makes the node of what the carries need, and the vectors of what it gives.
func (l *Loop) loop(outs [][]Ref) {
	m := &loopMaker{l: l, s: &scan{iterations: l.n, backward: l.backward, variantOf: l.variantOf, off: l.g.off}, sharing: map[Node]int32{}}
	var inits []Node
	for _, c := range l.carries {
		if c.needed {
			c.place = len(inits)
			inits = append(inits, c.init)
		}
	}
	if len(inits) == 0 {
		return
	}
	m.s.carries, m.s.bodies = len(inits), make([]body, len(l.variants))
	makers := make([]*bodyMaker, len(l.variants))
	for k, r := range l.variants {
		makers[k] = &bodyMaker{loopMaker: m, r: r, variant: k, b: &m.s.bodies[k], place: map[Node]argument{}}
		makers[k].body(outs[k])
		m.s.kept = max(m.s.kept, len(m.s.bodies[k].kept))
	}
	m.s.shared, m.s.streams = len(m.shared), len(m.streams)
	in := slices.Concat(m.shared, inits)
	for i := range m.streams {
		in = append(in, m.vector(&m.streams[i]))
	}
	l.scan = l.g.Opaque(m.s, m.s.size(), in...)
	ops := 0
	for _, b := range makers {
		b.know(ops)
		ops += len(b.nodes)
	}
}

// body writes the iteration.
func (m *bodyMaker) body(outs []Ref) {
	for i, c := range m.l.carries {
		if c.needed {
			m.place[m.r.carries[i].placeholder] = argument{fromCarry, int32(c.place)}
		}
	}
	for i, c := range m.l.carries {
		if c.needed {
			m.b.carries = append(m.b.carries, m.argument(m.r.carries[i].next))
		}
	}
	m.keep(outs)
}

// know notes where the scan has what the iteration needs of it. Operations are numbered from ops
// on.
func (m *bodyMaker) know(ops int) {
	r, s, x := m.r, m.s, m.l.scan
	r.ops = make(map[Node]int32, len(m.nodes))
	for k, y := range m.nodes {
		r.ops[y] = int32(ops + k)
	}
	all := func(y Node, off int) {
		v := r.part(x, off)
		r.g.at(v).nonneg = r.g.at(y).nonneg
		r.all[y] = v
	}
	for i, c := range m.l.carries {
		if c.needed {
			all(r.carries[i].placeholder, s.before(c.place))
		}
	}
	for i, c := range m.l.carries {
		y := r.carries[i].next
		if _, ok := r.all[y]; c.needed && !ok {
			all(y, s.after(c.place))
		}
	}
	for k, j := range m.b.kept {
		all(m.nodes[j], s.result(k))
	}
}

// argument returns where the loop has a node's number, adding operations for it.
func (m *bodyMaker) argument(x Node) argument {
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
		if len(m.b.ops) == m.l.maxOps {
			m.r.fail("the loop has too many operations")
		}
		a.k = int32(len(m.b.ops))
		m.b.ops = append(m.b.ops, o)
		m.nodes = append(m.nodes, x)
	}
	m.place[x] = a
	return a
}

// leaf places what does not depend on carries; anything else is an operation.
func (m *bodyMaker) leaf(x Node) argument {
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
		k, ok := m.sharing[v]
		if !ok {
			k = int32(len(m.shared))
			m.sharing[v], m.shared = k, append(m.shared, v)
		}
		return argument{fromShared, k}
	}
	return argument{fromStream, m.stream(v)}
}

// stream returns the stream that has v in the iterations of the variant. Kinds that use numbers of
// the same vector use one stream.
func (m *bodyMaker) stream(v Node) int32 {
	source := m.l.g.resolve(Ref{Node: v}).Node
	if m.l.g.at(source).kind == kindConst {
		source = None
	}
	for k := range m.streams {
		s := &m.streams[k]
		if _, used := s.of[m.variant]; !used && s.source == source {
			s.of[m.variant] = v
			return int32(k)
		}
	}
	m.streams = append(m.streams, stream{source, map[int]Node{m.variant: v}})
	return int32(len(m.streams) - 1)
}

// vector is a stream in all iterations. Those that do not use it have what makes it a part of
// its source, where there is such a part.
func (m *loopMaker) vector(s *stream) Node {
	l, g := m.l, m.l.g
	if l.variantOf == nil {
		return s.of[0]
	}
	refs := l.merged(func(k int) Node {
		if v, ok := s.of[k]; ok {
			return v
		}
		return g.Scalar(0)
	})
	first := slices.IndexFunc(l.variantOf, func(k uint8) bool { _, ok := s.of[int(k)]; return ok })
	base := g.resolve(refs[first])
	for t, k := range l.variantOf {
		if _, ok := s.of[int(k)]; ok {
			continue
		}
		refs[t] = base
		if e := int(base.Elem) + t - first; e >= 0 && e < g.Len(base.Node) {
			refs[t].Elem = int32(e)
		}
	}
	return g.Gather(refs)
}

// keep chooses the operations whose results are kept: those that outs use, and those that
// derivatives use.
//
// A product with what is known outside of the loop is not kept where only outs use it: it
// is done again there, often as part of a sum.
func (m *bodyMaker) keep(outs []Ref) {
	keep := make([]bool, len(m.b.ops))
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
			if a.from == fromOp && m.cheap(&m.b.ops[a.k]) {
				for _, b := range m.b.ops[a.k].args() {
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
	for i := range m.b.ops {
		o := &m.b.ops[i]
		args, result := derivativeUses(o.op)
		keep[i] = keep[i] || result
		for _, a := range o.args() {
			if args {
				mark(a)
			}
		}
	}
	for _, a := range m.b.carries { // these are kept anyway
		if a.from == fromOp {
			keep[a.k] = false
		}
	}
	for i, yes := range keep {
		if yes {
			m.b.kept = append(m.b.kept, int32(i))
		}
	}
}

// cheap reports whether an operation is a product with what is known outside of the loop.
func (m *bodyMaker) cheap(o *bodyOp) bool {
	inside := func(a argument) bool { return a.from == fromOp || a.from == fromCarry }
	return o.op == Neg || o.op == Mul && !(inside(o.in[0]) && inside(o.in[1]))
}

// derivativeUses reports whether the derivative of an operation is made of its arguments, and
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
