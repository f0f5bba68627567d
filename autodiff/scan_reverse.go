// The derivatives of scans: an iteration that goes the other way.

package autodiff

import (
	"math"
	"slices"
)

// backwardLoop is the reverse of a scan while it is made: iterations of the same variants.
type backwardLoop struct {
	g        *Graph
	s        *scan
	x        Node   // of the scan
	in       []Node // its inputs
	l        *Loop
	inits    []int  // the carries' adjoints, as carries
	before   []Node // for each carry, what adjoints its numbers before an iteration get from outside
	kept     []Node // the same of what iterations keep
	variants []*backwardBody
}

// backwardBody is the reverse of a body. Its iterations do the operations of the body, of whose
// results many are known, and send adjoints back through them.
type backwardBody struct {
	*backwardLoop
	body   *body
	r      *LoopBody
	inputs []Node // placeholders of the scan's inputs; of its carries, what they are before an iteration
	ops    []Node
	adj    *reverser

	carries, streams []Ref   // adjoints of what carries are before an iteration, and of streams
	shared           [][]Ref // of what iterations share, to be added up
}

// scanRule sends the adjoints of a scan on to its inputs.
func (r *reverser) scanRule(x Node, s *scan) {
	b := &backwardLoop{g: r.g, s: s, x: x, in: r.g.at(x).in(), l: r.g.Loop(s.iterations)}
	b.l.backward, b.l.maxOps = !s.backward, math.MaxInt
	b.seeds(r)
	var iterations []*LoopBody
	var next, outs [][]Ref
	for k, at := range s.places() {
		q := &backwardBody{backwardLoop: b, body: &s.bodies[k], r: b.l.Variant(at)}
		q.repeat()
		q.seed()
		q.sweep()
		b.variants = append(b.variants, q)
		iterations, next, outs = append(iterations, q.r), append(next, q.carries), append(outs, q.outs())
	}
	if err := b.l.Close(iterations, next, outs); err != nil {
		panic(err) // what it is made of was made of nothing else
	}
	b.send(r)
}

// places are the iterations of each body; nil for all.
func (s *scan) places() [][]int32 {
	out := make([][]int32, len(s.bodies))
	for t, k := range s.variantOf {
		out[k] = append(out[k], int32(t))
	}
	return out
}

// send adds what inputs get.
func (b *backwardLoop) send(r *reverser) {
	s := b.s
	for _, q := range b.variants {
		for k, list := range q.shared {
			for _, a := range list {
				r.add(b.in[k], q.overIterations(q.r.Vector(a)))
			}
		}
	}
	last := 0
	if s.backward {
		last = s.iterations - 1
	}
	for i, ref := range b.variants[s.body(last)].carries {
		if y := b.in[s.shared+i]; r.g.at(y).active {
			r.add(y, b.variants[s.body(last)].r.Final(ref))
		}
	}
	for k := range s.streams {
		if y := b.in[s.shared+s.carries+k]; r.g.at(y).active {
			r.add(y, b.g.whole(b.l.merged(func(kind int) Node { return b.variants[kind].r.Vector(b.variants[kind].streams[k]) })))
		}
	}
}

// whole is a vector of numbers, or one number where they are all the same.
func (g *Graph) whole(refs []Ref) Node {
	if !slices.ContainsFunc(refs, func(ref Ref) bool { return ref != refs[0] }) {
		return g.Elem(refs[0].Node, int(refs[0].Elem))
	}
	return g.Gather(refs)
}

// outs are the adjoints that inputs get.
func (b *backwardBody) outs() []Ref {
	s := b.s
	var outs []Ref
	for i, ref := range b.carries {
		if b.g.at(b.in[s.shared+i]).active {
			outs = append(outs, ref)
		}
	}
	for _, list := range b.shared {
		outs = append(outs, list...)
	}
	for k, ref := range b.streams {
		if b.g.at(b.in[s.shared+s.carries+k]).active {
			outs = append(outs, ref)
		}
	}
	return outs
}

// overIterations adds up a number of all iterations.
func (b *backwardBody) overIterations(v Node) Node {
	if b.g.Len(v) == 1 {
		return b.g.Map(Mul, 1, b.g.Scalar(float64(b.r.n)), v)
	}
	return b.g.Sum(v)
}

// input is the placeholder of an input.
func (b *backwardBody) input(k int) Node {
	if b.inputs[k] != None {
		return b.inputs[k]
	}
	y, i := b.in[k], k-b.s.shared
	switch {
	case i < 0:
	case i < b.s.carries:
		y = b.r.part(b.x, b.s.before(i))
	default:
		y = b.r.part(y, 0)
	}
	b.inputs[k] = b.r.Step(y)
	return b.inputs[k]
}

// repeat does the operations of an iteration with what the scan's output knows.
func (b *backwardBody) repeat() {
	s := b.s
	b.inputs = slices.Repeat([]Node{None}, len(b.in))
	if s.variantOf == nil {
		for k := range b.in {
			b.input(k)
		}
	}
	for i := range b.body.ops {
		o := &b.body.ops[i]
		in := make([]Node, len(o.args()))
		for k, a := range o.args() {
			in[k] = b.node(a)
		}
		b.ops = append(b.ops, b.g.Map(o.op, 1, in...))
	}
	for i, a := range b.body.carries {
		b.know(a, s.after(i))
	}
	for k, j := range b.body.kept {
		b.know(argument{fromOp, j}, s.result(k))
	}
}

// know notes where the scan's output has the results of an operation.
func (b *backwardBody) know(a argument, off int) {
	if a.from != fromOp {
		return
	}
	x := b.ops[a.k]
	if _, ok := b.r.all[x]; !ok && b.r.Depends(x) {
		b.r.all[x] = b.r.part(b.x, off)
	}
}

// node is the node of an argument.
func (b *backwardBody) node(a argument) Node {
	switch a.from {
	case fromOp:
		return b.ops[a.k]
	case fromConst:
		return b.g.Scalar(b.s.consts[a.k])
	case fromShared:
		return b.input(int(a.k))
	case fromCarry:
		return b.input(b.s.shared + int(a.k))
	}
	return b.input(b.s.shared + b.s.carries + int(a.k))
}

// seeds returns the carries of the way back, the adjoints that iterations carry, what they are
// at first, and finds the adjoints that come from outside.
func (b *backwardLoop) seeds(r *reverser) {
	s := b.s
	for i := range s.carries {
		end := s.after(i) // where the output has what the last iteration leaves
		if !s.backward {
			end += s.iterations - 1
		}
		init := r.block(b.x, end, 1)
		if init == None {
			init = b.g.Scalar(0)
		}
		b.inits = append(b.inits, b.l.Carry(init))
		b.before = append(b.before, r.block(b.x, s.before(i), s.iterations))
	}
	for k := range s.kept {
		b.kept = append(b.kept, r.block(b.x, s.result(k), s.iterations))
	}
}

// step is the placeholder of what comes from outside; None where nothing does.
func (b *backwardBody) step(outside Node) Node {
	if outside == None {
		return None
	}
	if b.g.Len(outside) > 1 {
		outside = b.r.part(outside, 0)
	}
	return b.r.Step(outside)
}

// seed returns what an iteration leaves and what is kept of it their adjoints.
func (b *backwardBody) seed() {
	b.adj = &reverser{g: b.g, whole: make([]link, 1), parts: map[Node][]contribution{}}
	leaves := make([]Node, len(b.body.carries))
	for i, a := range b.body.carries {
		leaves[i] = b.node(a)
		b.r.CarryIn(b.inits[i])
	}
	var outside []Node
	for k := range b.body.kept {
		outside = append(outside, b.step(b.kept[k]))
	}
	b.adj.ends = make([]ends, b.g.Size())
	for i := range leaves {
		b.adj.add(leaves[i], b.r.CarryIn(b.inits[i]))
	}
	for k, j := range b.body.kept {
		if a := outside[k]; a != None {
			b.adj.add(b.ops[j], a)
		}
	}
}

// sweep carries adjoints back through the operations, to the placeholders of inputs. What a carry
// is before an iteration gets adjoints from that iteration, and from outside; the sum is what the
// way back carries. What shared numbers get is added up one by one, since sums of products are
// quick.
func (b *backwardBody) sweep() {
	for y := Node(len(b.adj.ends)) - 1; y >= b.r.first; y-- {
		if n := b.g.at(y); n.kind != kindPlaceholder && n.active && !b.adj.empty(y) {
			b.adj.propagate(y, b.adj.total(y))
		}
	}
	s := b.s
	for i := range s.carries {
		a := b.total(b.inputs[s.shared+i])
		if outside := b.step(b.before[i]); outside != None {
			a = b.adj.plus(outside, a)
		}
		b.carries = append(b.carries, Ref{Node: a})
	}
	b.shared = make([][]Ref, s.shared)
	for k := range b.shared {
		if x := b.inputs[k]; x != None {
			for _, a := range b.adj.wholes(x) {
				b.shared[k] = append(b.shared[k], Ref{Node: a})
			}
		}
	}
	for k := range s.streams {
		b.streams = append(b.streams, Ref{Node: b.total(b.inputs[s.shared+s.carries+k])})
	}
}

// total is the adjoint of a placeholder; 0 where it gets none.
func (b *backwardBody) total(x Node) Node {
	if x == None || b.adj.empty(x) {
		return b.g.Scalar(0)
	}
	return b.adj.total(x)
}

// block adds up the contributions to elements [off, off+n) of x; None where there are
// none.
func (r *reverser) block(x Node, off, n int) Node {
	sum := None
	var rest []contribution
	for _, p := range r.parts[x] {
		q, ok := r.within(p, off, n)
		switch {
		case !ok:
		case q.at == nil && r.g.Len(q.src) == n:
			sum = r.plus(sum, q.src)
		default:
			rest = append(rest, q)
		}
	}
	if len(rest) > 0 {
		sum = r.plus(sum, r.accumulate(n, rest))
	}
	for _, a := range r.wholes(x) {
		if r.g.Len(a) > 1 {
			a = r.g.View(a, off, n)
		}
		sum = r.plus(sum, a)
	}
	return sum
}

// within is what a contribution adds to elements [off, off+n), counted from off.
func (r *reverser) within(p contribution, off, n int) (contribution, bool) {
	if p.at == nil {
		lo, hi := max(p.off, off), min(p.off+r.g.Len(p.src), off+n)
		if lo >= hi {
			return p, false
		}
		return contribution{src: r.g.View(p.src, lo-p.off, hi-lo), off: lo - off}, true
	}
	q := contribution{src: p.src}
	for i, a := range p.at {
		if k := int(a) - off; k >= 0 && k < n {
			q.at, q.from = append(q.at, int32(k)), append(q.from, p.from[i])
		}
	}
	return q, q.at != nil
}
