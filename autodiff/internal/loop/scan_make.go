// How iterations that were recorded become a scan.

package loop

import (
	"slices"

	"github.com/seed-12b88e03/ppl/autodiff/internal/graph"
)

// A loopMaker makes the scan of some iterations.
type loopMaker struct {
	l       *Loop
	s       *Scan
	shared  []graph.Node
	sharing map[graph.Node]int32
	streams []stream
}

// A stream has a number for each iteration of the variants that use it.
type stream struct {
	source graph.Node         // what the numbers are part of; None of constants
	of     map[int]graph.Node // for each variant, those of its iterations
}

// A bodyMaker makes the body of a variant.
type bodyMaker struct {
	*loopMaker
	r       *LoopBody
	variant int
	b       *Body
	place   map[graph.Node]Argument
	nodes   []graph.Node // of the operations
}

// loop makes the loop's node from what the carries need, and vectors of its outputs.
func (l *Loop) loop(outs [][]graph.Ref) {
	m := &loopMaker{l: l, s: &Scan{Iterations: l.n, Backward: l.Backward, VariantOf: l.variantOf, Off: l.g.Off}, sharing: map[graph.Node]int32{}}
	var inits []graph.Node
	for _, c := range l.carries {
		if c.needed {
			c.place = len(inits)
			inits = append(inits, c.init)
		}
	}
	if len(inits) == 0 {
		return
	}
	m.s.Carries, m.s.Bodies = len(inits), make([]Body, len(l.variants))
	makers := make([]*bodyMaker, len(l.variants))
	for k, r := range l.variants {
		makers[k] = &bodyMaker{loopMaker: m, r: r, variant: k, b: &m.s.Bodies[k], place: map[graph.Node]Argument{}}
		makers[k].body(outs[k])
		m.s.Kept = max(m.s.Kept, len(m.s.Bodies[k].Kept))
	}
	m.s.Shared, m.s.Streams = len(m.shared), len(m.streams)
	in := slices.Concat(m.shared, inits)
	for i := range m.streams {
		in = append(in, m.vector(&m.streams[i]))
	}
	l.scan = l.g.Opaque(m.s, m.s.Size(), in...)
	ops := 0
	for _, b := range makers {
		b.know(ops)
		ops += len(b.nodes)
	}
}

// body writes the iteration.
func (m *bodyMaker) body(outs []graph.Ref) {
	for i, c := range m.l.carries {
		if c.needed {
			m.place[m.r.carries[i].placeholder] = Argument{FromCarry, int32(c.place)}
		}
	}
	for i, c := range m.l.carries {
		if c.needed {
			m.b.Carries = append(m.b.Carries, m.argument(m.r.carries[i].next))
		}
	}
	m.keep(outs)
}

// know notes where the scan has what the iteration needs of it. Operations are numbered from ops
// on.
func (m *bodyMaker) know(ops int) {
	r, s, x := m.r, m.s, m.l.scan
	r.ops = make(map[graph.Node]int32, len(m.nodes))
	for k, y := range m.nodes {
		r.ops[y] = int32(ops + k)
	}
	all := func(y graph.Node, off int) {
		v := r.Part(x, off)
		r.g.At(v).Nonneg = r.g.At(y).Nonneg
		r.All[y] = v
	}
	for i, c := range m.l.carries {
		if c.needed {
			all(r.carries[i].placeholder, s.Before(c.place))
		}
	}
	for i, c := range m.l.carries {
		y := r.carries[i].next
		if _, ok := r.All[y]; c.needed && !ok {
			all(y, s.After(c.place))
		}
	}
	for k, j := range m.b.Kept {
		all(m.nodes[j], s.Result(k))
	}
}

// argument returns where the loop has a node's number, adding operations for it.
func (m *bodyMaker) argument(x graph.Node) Argument {
	if a, ok := m.place[x]; ok {
		return a
	}
	a := m.leaf(x)
	if a.From == FromOp {
		n := m.r.g.At(x)
		if n.Kind != graph.KindMap {
			m.r.fail("%s", m.r.g.Describe(n))
		}
		o := BodyOp{Op: n.Op}
		for k, y := range n.In() {
			o.In[k] = m.argument(y)
		}
		if len(m.b.Ops) == m.l.MaxOps {
			m.r.fail("the loop has too many operations")
		}
		a.K = int32(len(m.b.Ops))
		m.b.Ops = append(m.b.Ops, o)
		m.nodes = append(m.nodes, x)
	}
	m.place[x] = a
	return a
}

// leaf places what does not depend on carries; anything else is an operation.
func (m *bodyMaker) leaf(x graph.Node) Argument {
	g := m.r.g
	if m.r.reach(x) == onCarries {
		return Argument{From: FromOp}
	}
	v := m.r.vector(x)
	if c, ok := g.ScalarValue(v); ok {
		m.s.Consts = append(m.s.Consts, c)
		return Argument{FromConst, int32(len(m.s.Consts) - 1)}
	}
	if g.Len(v) == 1 {
		k, ok := m.sharing[v]
		if !ok {
			k = int32(len(m.shared))
			m.sharing[v], m.shared = k, append(m.shared, v)
		}
		return Argument{FromShared, k}
	}
	return Argument{FromStream, m.stream(v)}
}

// stream returns the stream that has v in the iterations of the variant. Kinds that use numbers of
// the same vector use one stream.
func (m *bodyMaker) stream(v graph.Node) int32 {
	source := m.l.g.Resolve(graph.Ref{Node: v}).Node
	if m.l.g.At(source).Kind == graph.KindConst {
		source = graph.None
	}
	for k := range m.streams {
		s := &m.streams[k]
		if _, used := s.of[m.variant]; !used && s.source == source {
			s.of[m.variant] = v
			return int32(k)
		}
	}
	m.streams = append(m.streams, stream{source, map[int]graph.Node{m.variant: v}})
	return int32(len(m.streams) - 1)
}

// vector is a stream in all iterations. Those that do not use it have what makes it a part of
// its source, where there is such a part.
func (m *loopMaker) vector(s *stream) graph.Node {
	l, g := m.l, m.l.g
	if l.variantOf == nil {
		return s.of[0]
	}
	refs := l.Merged(func(k int) graph.Node {
		if v, ok := s.of[k]; ok {
			return v
		}
		return g.Scalar(0)
	})
	first := slices.IndexFunc(l.variantOf, func(k uint8) bool { _, ok := s.of[int(k)]; return ok })
	base := g.Resolve(refs[first])
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
func (m *bodyMaker) keep(outs []graph.Ref) {
	keep := make([]bool, len(m.b.Ops))
	mark := func(a Argument) {
		if a.From == FromOp {
			keep[a.K] = true
		}
	}
	seen := map[graph.Node]bool{}
	var use func(x graph.Node)
	use = func(x graph.Node) {
		if seen[x] || m.r.reach(x) != onCarries {
			return
		}
		seen[x] = true
		if a, ok := m.place[x]; ok {
			if a.From == FromOp && m.cheap(&m.b.Ops[a.K]) {
				for _, b := range m.b.Ops[a.K].Args() {
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
	for i := range m.b.Ops {
		o := &m.b.Ops[i]
		args, result := derivativeUses(o.Op)
		keep[i] = keep[i] || result
		for _, a := range o.Args() {
			if args {
				mark(a)
			}
		}
	}
	for _, a := range m.b.Carries { // these are kept anyway
		if a.From == FromOp {
			keep[a.K] = false
		}
	}
	for i, yes := range keep {
		if yes {
			m.b.Kept = append(m.b.Kept, int32(i))
		}
	}
}

// cheap reports whether an operation is a product with what is known outside of the loop.
func (m *bodyMaker) cheap(o *BodyOp) bool {
	inside := func(a Argument) bool { return a.From == FromOp || a.From == FromCarry }
	return o.Op == graph.Neg || o.Op == graph.Mul && !(inside(o.In[0]) && inside(o.In[1]))
}

// derivativeUses reports whether the derivative of an operation is made of its arguments, and
// of its result.
func derivativeUses(op *graph.Op) (args, result bool) {
	switch op {
	case graph.Add, graph.Sub, graph.Neg, graph.Shift:
		return false, false
	case graph.Mul, graph.Square, graph.Log, graph.Log1p, graph.Log1pExp:
		return true, false
	case graph.Exp, graph.Sqrt, graph.Inv:
		return false, true
	case graph.PickBySign: // the third argument
		return true, false
	}
	return op.Differentiable(), op.Differentiable()
}
