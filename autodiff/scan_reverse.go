// The derivatives of scans: a round that goes the other way.

package autodiff

import "math"

// backRound is the reverse of a scan while it is made. Its rounds do the operations of
// the scan's, of whose results many are known, and send adjoints back through them.
type backRound struct {
	g      *Graph
	s      *scan
	x      Node   // of the scan
	in     []Node // its inputs
	r      *Round
	inputs []Node // stand-ins of the scan's inputs; of its carries, what they are before a round
	ops    []Node
	adj    *reverser
}

// scanRule sends the adjoints of a scan on to its inputs.
func (r *reverser) scanRule(x Node, s *scan) {
	b := &backRound{g: r.g, s: s, x: x, in: r.g.at(x).in(), r: r.g.Round(s.rounds)}
	b.r.backward, b.r.most = !s.backward, math.MaxInt
	b.repeat()
	outside := b.seed(r, x)
	b.sweep()

	c := len(s.carries)
	next := make([]Ref, c)
	for i := range next {
		next[i].Node = r.plus(outside[i], b.total(b.inputs[s.shared+i]))
	}
	// What shared numbers get is added up one by one, since sums of products are quick.
	shared := make([][]Ref, s.shared)
	var outs []Ref
	for i, ref := range next {
		if r.g.at(b.in[s.shared+i]).active {
			outs = append(outs, ref)
		}
	}
	for k := range shared {
		for _, a := range b.adj.wholes(b.inputs[k]) {
			shared[k] = append(shared[k], Ref{Node: a})
		}
		outs = append(outs, shared[k]...)
	}
	streams := make([]Ref, s.streams)
	for k := range streams {
		streams[k].Node = b.total(b.inputs[s.shared+c+k])
		outs = append(outs, streams[k])
	}
	if err := b.r.Close(next, outs); err != nil {
		panic(err) // what it is made of was made of nothing else
	}
	for k, list := range shared {
		for _, a := range list {
			r.add(b.in[k], b.overRounds(b.r.Vector(a)))
		}
	}
	for i, ref := range next {
		if y := b.in[s.shared+i]; r.g.at(y).active {
			r.add(y, b.r.Final(ref))
		}
	}
	for k, ref := range streams {
		r.add(b.in[s.shared+c+k], b.r.Vector(ref))
	}
}

// overRounds adds up a number of all rounds.
func (b *backRound) overRounds(v Node) Node {
	if b.g.Len(v) == 1 {
		return b.g.Map(Mul, 1, b.g.Scalar(float64(b.s.rounds)), v)
	}
	return b.g.Sum(v)
}

// repeat does the operations of a round with what the scan's output knows.
func (b *backRound) repeat() {
	s, r := b.s, b.r
	for k, y := range b.in {
		i := k - s.shared
		if i >= 0 && i < len(s.carries) {
			y = b.g.View(b.x, s.before(i), s.rounds)
		}
		b.inputs = append(b.inputs, r.Step(y))
	}
	for i := range s.ops {
		o := &s.ops[i]
		in := make([]Node, len(o.args()))
		for k, a := range o.args() {
			in[k] = b.node(a)
		}
		b.ops = append(b.ops, b.g.Map(o.op, 1, in...))
	}
	for i, a := range s.carries {
		b.know(a, s.after(i))
	}
	for k, j := range s.kept {
		b.know(argument{fromOp, j}, s.result(k))
	}
}

// know says where the scan's output has the results of an operation.
func (b *backRound) know(a argument, off int) {
	if a.from != fromOp {
		return
	}
	x := b.ops[a.k]
	if _, ok := b.r.all[x]; !ok && b.r.Depends(x) {
		b.r.all[x] = b.g.View(b.x, off, b.s.rounds)
	}
}

// node is the node of an argument.
func (b *backRound) node(a argument) Node {
	switch a.from {
	case fromOp:
		return b.ops[a.k]
	case fromConst:
		return b.g.Scalar(b.s.consts[a.k])
	case fromShared:
		return b.inputs[a.k]
	case fromCarry:
		return b.inputs[b.s.shared+int(a.k)]
	}
	return b.inputs[b.s.shared+len(b.s.carries)+int(a.k)]
}

// seed gives what a round leaves and what is kept of it their adjoints. What a carry is
// before a round gets adjoints from that round, and from outside; those are what seed
// returns, as stand-ins, None where there are none. The sum is what the way back hands on.
func (b *backRound) seed(r *reverser, x Node) (outside []Node) {
	s := b.s
	var carries []Node
	for i := range s.carries {
		end := s.after(i) // where the output has what the last round leaves
		if !s.backward {
			end += s.rounds - 1
		}
		init := r.block(x, end, 1)
		if init == None {
			init = b.g.Scalar(0)
		}
		carries = append(carries, b.r.Carry(init))
		a := r.block(x, s.before(i), s.rounds)
		if a != None {
			a = b.r.Step(a)
		}
		outside = append(outside, a)
	}
	b.adj = &reverser{g: b.g, ends: make([]ends, b.g.Size()), whole: make([]link, 1), parts: map[Node][]contribution{}}
	for i, a := range s.carries {
		b.adj.add(b.node(a), carries[i])
	}
	for k, j := range s.kept {
		if a := r.block(x, s.result(k), s.rounds); a != None {
			b.adj.add(b.ops[j], b.r.Step(a))
		}
	}
	return outside
}

// sweep carries adjoints back through the operations.
func (b *backRound) sweep() {
	for y := Node(len(b.adj.ends)) - 1; y >= b.r.first; y-- {
		if n := b.g.at(y); n.kind != kindHole && n.active && !b.adj.empty(y) {
			b.adj.propagate(y, b.adj.total(y))
		}
	}
}

// total is the adjoint of a stand-in; 0 where it gets none.
func (b *backRound) total(x Node) Node {
	if b.adj.empty(x) {
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
