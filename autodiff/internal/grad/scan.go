// The derivatives of scans: an iteration that goes the other way.

package grad

import (
	"math"
	"slices"

	"github.com/seed-12b88e03/ppl/autodiff/internal/graph"
	"github.com/seed-12b88e03/ppl/autodiff/internal/loop"
)

// backwardLoop is the reverse of a scan while it is made: iterations of the same variants.
type backwardLoop struct {
	g        *graph.Graph
	s        *loop.Scan
	x        graph.Node   // of the scan
	in       []graph.Node // its inputs
	l        *loop.Loop
	inits    []int        // the carries' adjoints, as carries
	before   []graph.Node // for each carry, what adjoints its numbers before an iteration get from outside
	kept     []graph.Node // the same for the values that iterations keep
	variants []*backwardBody
}

// backwardBody is the reverse of a body. Its iterations do the operations of the body, of whose
// results many are known, and send adjoints back through them.
type backwardBody struct {
	*backwardLoop
	body   *loop.Body
	r      *loop.LoopBody
	inputs []graph.Node // placeholders of the scan's inputs; of its carries, what they are before an iteration
	ops    []graph.Node
	adj    *Reverser

	carries, streams []graph.Ref   // adjoints of what carries are before an iteration, and of streams
	shared           [][]graph.Ref // of what iterations share, to be added up
}

// scanRule sends the adjoints of a scan on to its inputs.
func (r *Reverser) scanRule(x graph.Node, s *loop.Scan) {
	b := &backwardLoop{g: r.G, s: s, x: x, in: r.G.At(x).In(), l: loop.NewLoop(r.G, s.Iterations)}
	b.l.Backward, b.l.MaxOps = !s.Backward, math.MaxInt
	b.seeds(r)
	var iterations []*loop.LoopBody
	var next, outs [][]graph.Ref
	for k, at := range places(s) {
		q := &backwardBody{backwardLoop: b, body: &s.Bodies[k], r: b.l.Variant(at)}
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
func places(s *loop.Scan) [][]int32 {
	out := make([][]int32, len(s.Bodies))
	for t, k := range s.VariantOf {
		out[k] = append(out[k], int32(t))
	}
	return out
}

// send adds the loop's contributions to the adjoints of the scan's inputs.
func (b *backwardLoop) send(r *Reverser) {
	s := b.s
	for _, q := range b.variants {
		for k, list := range q.shared {
			for _, a := range list {
				r.add(b.in[k], q.overIterations(q.r.Vector(a)))
			}
		}
	}
	last := 0
	if s.Backward {
		last = s.Iterations - 1
	}
	for i, ref := range b.variants[s.Body(last)].carries {
		if y := b.in[s.Shared+i]; r.G.At(y).Active {
			r.add(y, b.variants[s.Body(last)].r.Final(ref))
		}
	}
	for k := range s.Streams {
		if y := b.in[s.Shared+s.Carries+k]; r.G.At(y).Active {
			r.add(y, whole(b.g, b.l.Merged(func(kind int) graph.Node { return b.variants[kind].r.Vector(b.variants[kind].streams[k]) })))
		}
	}
}

// whole is a vector of numbers, or one number where they are all the same.
func whole(g *graph.Graph, refs []graph.Ref) graph.Node {
	if !slices.ContainsFunc(refs, func(ref graph.Ref) bool { return ref != refs[0] }) {
		return g.Elem(refs[0].Node, int(refs[0].Elem))
	}
	return g.Gather(refs)
}

// outs are the adjoints that inputs get.
func (b *backwardBody) outs() []graph.Ref {
	s := b.s
	var outs []graph.Ref
	for i, ref := range b.carries {
		if b.g.At(b.in[s.Shared+i]).Active {
			outs = append(outs, ref)
		}
	}
	for _, list := range b.shared {
		outs = append(outs, list...)
	}
	for k, ref := range b.streams {
		if b.g.At(b.in[s.Shared+s.Carries+k]).Active {
			outs = append(outs, ref)
		}
	}
	return outs
}

// overIterations adds up a number of all iterations.
func (b *backwardBody) overIterations(v graph.Node) graph.Node {
	if b.g.Len(v) == 1 {
		return b.g.Map(graph.Mul, 1, b.g.Scalar(float64(b.r.N)), v)
	}
	return b.g.Sum(v)
}

// input is the placeholder of an input.
func (b *backwardBody) input(k int) graph.Node {
	if b.inputs[k] != graph.None {
		return b.inputs[k]
	}
	y, i := b.in[k], k-b.s.Shared
	switch {
	case i < 0:
	case i < b.s.Carries:
		y = b.r.Part(b.x, b.s.Before(i))
	default:
		y = b.r.Part(y, 0)
	}
	b.inputs[k] = b.r.Step(y)
	return b.inputs[k]
}

// repeat does the operations of an iteration with what the scan's output knows.
func (b *backwardBody) repeat() {
	s := b.s
	b.inputs = slices.Repeat([]graph.Node{graph.None}, len(b.in))
	if s.VariantOf == nil {
		for k := range b.in {
			b.input(k)
		}
	}
	for i := range b.body.Ops {
		o := &b.body.Ops[i]
		in := make([]graph.Node, len(o.Args()))
		for k, a := range o.Args() {
			in[k] = b.node(a)
		}
		b.ops = append(b.ops, b.g.Map(o.Op, 1, in...))
	}
	for i, a := range b.body.Carries {
		b.know(a, s.After(i))
	}
	for k, j := range b.body.Kept {
		b.know(loop.Argument{From: loop.FromOp, K: j}, s.Result(k))
	}
}

// know notes where the scan's output has the results of an operation.
func (b *backwardBody) know(a loop.Argument, off int) {
	if a.From != loop.FromOp {
		return
	}
	x := b.ops[a.K]
	if _, ok := b.r.All[x]; !ok && b.r.Depends(x) {
		b.r.All[x] = b.r.Part(b.x, off)
	}
}

// node is the node of an argument.
func (b *backwardBody) node(a loop.Argument) graph.Node {
	switch a.From {
	case loop.FromOp:
		return b.ops[a.K]
	case loop.FromConst:
		return b.g.Scalar(b.s.Consts[a.K])
	case loop.FromShared:
		return b.input(int(a.K))
	case loop.FromCarry:
		return b.input(b.s.Shared + int(a.K))
	}
	return b.input(b.s.Shared + b.s.Carries + int(a.K))
}

// seeds returns the initial values of the adjoints that the backward loop carries, and finds the adjoints
// from outside the loop.
func (b *backwardLoop) seeds(r *Reverser) {
	s := b.s
	for i := range s.Carries {
		end := s.After(i) // where the output has what the last iteration leaves
		if !s.Backward {
			end += s.Iterations - 1
		}
		init := r.block(b.x, end, 1)
		if init == graph.None {
			init = b.g.Scalar(0)
		}
		b.inits = append(b.inits, b.l.Carry(init))
		b.before = append(b.before, r.block(b.x, s.Before(i), s.Iterations))
	}
	for k := range s.Kept {
		b.kept = append(b.kept, r.block(b.x, s.Result(k), s.Iterations))
	}
}

// step is the placeholder of what comes from outside; None where nothing does.
func (b *backwardBody) step(outside graph.Node) graph.Node {
	if outside == graph.None {
		return graph.None
	}
	if b.g.Len(outside) > 1 {
		outside = b.r.Part(outside, 0)
	}
	return b.r.Step(outside)
}

// seed returns what an iteration leaves and what is kept of it their adjoints.
func (b *backwardBody) seed() {
	b.adj = &Reverser{G: b.g, whole: make([]link, 1), parts: map[graph.Node][]contribution{}}
	leaves := make([]graph.Node, len(b.body.Carries))
	for i, a := range b.body.Carries {
		leaves[i] = b.node(a)
		b.r.CarryIn(b.inits[i])
	}
	var outside []graph.Node
	for k := range b.body.Kept {
		outside = append(outside, b.step(b.kept[k]))
	}
	b.adj.ends = make([]ends, b.g.Size())
	for i := range leaves {
		b.adj.add(leaves[i], b.r.CarryIn(b.inits[i]))
	}
	for k, j := range b.body.Kept {
		if a := outside[k]; a != graph.None {
			b.adj.add(b.ops[j], a)
		}
	}
}

// sweep carries adjoints back through the operations, to the placeholders of inputs. What a carry
// is before an iteration gets adjoints from that iteration, and from outside; the sum is what the
// way back carries. What shared numbers get is added up one by one, since sums of products are
// quick.
func (b *backwardBody) sweep() {
	for y := graph.Node(len(b.adj.ends)) - 1; y >= b.r.First; y-- {
		if n := b.g.At(y); n.Kind != graph.KindPlaceholder && n.Active && !b.adj.empty(y) {
			b.adj.propagate(y, b.adj.total(y))
		}
	}
	s := b.s
	for i := range s.Carries {
		a := b.total(b.inputs[s.Shared+i])
		if outside := b.step(b.before[i]); outside != graph.None {
			a = b.adj.plus(outside, a)
		}
		b.carries = append(b.carries, graph.Ref{Node: a})
	}
	b.shared = make([][]graph.Ref, s.Shared)
	for k := range b.shared {
		if x := b.inputs[k]; x != graph.None {
			for _, a := range b.adj.wholes(x) {
				b.shared[k] = append(b.shared[k], graph.Ref{Node: a})
			}
		}
	}
	for k := range s.Streams {
		b.streams = append(b.streams, graph.Ref{Node: b.total(b.inputs[s.Shared+s.Carries+k])})
	}
}

// total is the adjoint of a placeholder; 0 where it gets none.
func (b *backwardBody) total(x graph.Node) graph.Node {
	if x == graph.None || b.adj.empty(x) {
		return b.g.Scalar(0)
	}
	return b.adj.total(x)
}

// block adds up the contributions to elements [off, off+n) of x; None where there are
// none.
func (r *Reverser) block(x graph.Node, off, n int) graph.Node {
	sum := graph.None
	var rest []contribution
	for _, p := range r.parts[x] {
		q, ok := r.within(p, off, n)
		switch {
		case !ok:
		case q.at == nil && r.G.Len(q.src) == n:
			sum = r.plus(sum, q.src)
		default:
			rest = append(rest, q)
		}
	}
	if len(rest) > 0 {
		sum = r.plus(sum, r.accumulate(n, rest))
	}
	for _, a := range r.wholes(x) {
		if r.G.Len(a) > 1 {
			a = r.G.View(a, off, n)
		}
		sum = r.plus(sum, a)
	}
	return sum
}

// within is what a contribution adds to elements [off, off+n), counted from off.
func (r *Reverser) within(p contribution, off, n int) (contribution, bool) {
	if p.at == nil {
		lo, hi := max(p.off, off), min(p.off+r.G.Len(p.src), off+n)
		if lo >= hi {
			return p, false
		}
		return contribution{src: r.G.View(p.src, lo-p.off, hi-lo), off: lo - off}, true
	}
	q := contribution{src: p.src}
	for i, a := range p.at {
		if k := int(a) - off; k >= 0 && k < n {
			q.at, q.from = append(q.at, int32(k)), append(q.from, p.from[i])
		}
	}
	return q, q.at != nil
}
