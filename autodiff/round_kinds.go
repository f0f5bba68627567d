// Rounds of several kinds: what a loop hands on from round to round, of whatever kind these are.

package autodiff

import "slices"

// Rounds are those of a loop. They may be of several kinds, by what is known of data: where
// something was observed and where not, say. Each kind is recorded as a Round of its own, over
// the rounds that are of it, so that nothing is computed, differentiated or checked in rounds of
// another kind. What they have in common are the carries.
type Rounds struct {
	g        *Graph
	n        int
	backward bool // from the last round to the first
	most     int  // operations that a round of the loop may have
	carries  []*carry
	kinds    []*Round
	which    []uint8 // kind of each round; nil where there is one
	scan     Node    // of what the carries need
}

// A carry is a number that a round leaves for the next.
type carry struct {
	init   Node
	rooted bool // the carry is the square root of what this is
	known  bool // it is none: what it is in all rounds is known without the loop
	needed bool
	place  int // among the carries of the scan
}

// MostKinds is the greatest number of kinds of a loop.
const MostKinds = 16

// Rounds begins the recording of a loop of n rounds, of which there must be two at least.
func (g *Graph) Rounds(n int) *Rounds { return &Rounds{g: g, n: n, most: maxCore, scan: None} }

// Kind begins the recording of the rounds at, counted from 0 and ascending, or of all where at
// is nil. It may be begun in vain: what the loop consists of is said when it is closed.
func (l *Rounds) Kind(at []int32) *Round {
	n := len(at)
	if at == nil {
		n = l.n
	}
	return &Round{g: l.g, n: n, loop: l, at: at, of: map[Node]int{}, all: map[Node]Node{}, swapped: map[Node]Node{},
		picks: map[Node]*choice{}, scalars: map[Ref]Node{}, reaches: map[Node]dependence{}, partials: map[Node]Node{}, first: Node(l.g.Size())}
}

// Carry adds a number that is init, a node of length 1, before the first round, and gives the
// number by which rounds know it.
func (l *Rounds) Carry(init Node) (i int) {
	l.carries = append(l.carries, &carry{init: init})
	return len(l.carries) - 1
}

// Close ends the recording: the loop consists of kinds, one for each round. next is what the
// carries are after a round of each kind, by their numbers, and outs are what else is wanted of
// it. It fails where a round uses functions that cannot be done in many rounds at once.
func (l *Rounds) Close(kinds []*Round, next, outs [][]Ref) (err error) {
	defer func() {
		if e := recover(); e != nil {
			failed, ok := e.(roundError)
			if !ok {
				panic(e)
			}
			err = failed
		}
	}()
	l.kinds = kinds
	l.sort()
	next = l.beforeRoots(next)
	for k, r := range kinds {
		for i := range l.carries {
			r.Before(i)
			r.carries[i].next = r.scalar(next[k][i])
		}
		for _, ref := range outs[k] {
			r.scalar(ref)
		}
	}
	l.settle()
	l.need(outs)
	l.loop(outs)
	return nil
}

// sort notes of which kind each round is.
func (l *Rounds) sort() {
	if len(l.kinds) == 1 && l.kinds[0].at == nil {
		return
	}
	const none = MostKinds
	l.which = slices.Repeat([]uint8{none}, l.n)
	left := l.n
	for k, r := range l.kinds[:min(len(l.kinds), MostKinds)] {
		for _, t := range r.at {
			l.which[t] = uint8(k)
		}
		left -= r.n
	}
	if left != 0 || slices.Contains(l.which, none) {
		l.kinds[0].fail("the kinds do not share out the rounds")
	}
}

// each says whether something holds of the rounds of all kinds.
func (l *Rounds) each(holds func(k int, r *Round) bool) bool {
	for k, r := range l.kinds {
		if !holds(k, r) {
			return false
		}
	}
	return true
}

// beforeRoots lets carries that are square roots be what the root is taken of: it is
// often squared in the next round. It gives the new lists of next.
func (l *Rounds) beforeRoots(next [][]Ref) [][]Ref {
	g := l.g
	out := make([][]Ref, len(next))
	for k := range next {
		out[k] = slices.Clone(next[k])
	}
	for i, c := range l.carries {
		root := func(k int, r *Round) bool {
			x := g.resolve(next[k][i]).Node
			n := g.at(x)
			return n.kind == kindMap && n.op == Sqrt && n.n == 1 && g.at(n.few[0]).nonneg && r.reach(x) == onCarries
		}
		if !g.does(optRoots) || !g.at(c.init).nonneg || !l.each(root) {
			continue
		}
		c.rooted, c.init = true, g.Map(Square, 1, c.init)
		for k, r := range l.kinds {
			old, square := r.Before(i), g.hole(true, true)
			delete(r.of, old)
			r.of[square], r.reaches[square] = i, onCarries
			r.swapped[old] = g.Map(Sqrt, 1, square)
			r.carries[i].hole = square
			out[k][i] = Ref{Node: g.at(g.resolve(next[k][i]).Node).few[0]}
		}
	}
	return out
}

// settle finds the carries that are none: those that keep their value, and those that
// are what a step was one round before.
func (l *Rounds) settle() {
	for again := true; again; {
		again = false
		for i, c := range l.carries {
			kept := func(_ int, r *Round) bool { return r.carries[i].next == r.carries[i].hole }
			free := func(_ int, r *Round) bool { return r.reach(r.carries[i].next) != onCarries }
			switch {
			case c.known:
				continue
			case l.each(kept):
				for _, r := range l.kinds {
					r.become(r.carries[i].hole, c.init)
				}
			case l.each(free):
				l.delay(i)
			default:
				continue
			}
			c.known, again = true, true
			for _, r := range l.kinds {
				r.forget()
			}
		}
	}
}

// delay makes a carry what rounds know without the loop, one round later.
func (l *Rounds) delay(i int) {
	init := l.carries[i].init
	vectors := make([]Node, len(l.kinds))
	same := true
	for k, r := range l.kinds {
		vectors[k] = r.vector(r.carries[i].next)
		same = same && vectors[k] == init
	}
	if same {
		for _, r := range l.kinds {
			r.become(r.carries[i].hole, init)
		}
		return
	}
	refs := l.merged(func(k int) Node { return vectors[k] })
	first := Ref{Node: init}
	if l.backward {
		refs = append(refs[1:], first)
	} else {
		refs = slices.Insert(refs[:l.n-1], 0, first)
	}
	for _, r := range l.kinds {
		r.become(r.carries[i].hole, l.g.Gather(r.own(refs)))
	}
}

// merged names the numbers of all rounds, vectors having those of each kind; there may be one
// number for all of them.
func (l *Rounds) merged(vector func(k int) Node) []Ref {
	refs := make([]Ref, l.n)
	for k, r := range l.kinds {
		v := vector(k)
		one := l.g.Len(v) == 1
		for j := range r.n {
			ref := Ref{v, int32(j)}
			if one {
				ref.Elem = 0
			}
			refs[r.round(j)] = ref
		}
	}
	return refs
}

// round is where round j of the kind is among all.
func (r *Round) round(j int) int {
	if r.at == nil {
		return j
	}
	return int(r.at[j])
}

// own picks what belongs to the rounds of the kind.
func (r *Round) own(refs []Ref) []Ref {
	if r.at == nil {
		return refs
	}
	out := make([]Ref, r.n)
	for j, t := range r.at {
		out[j] = refs[t]
	}
	return out
}

// part is, of the loop's numbers in x from off on, those of the rounds of the kind.
func (r *Round) part(x Node, off int) Node {
	if r.at == nil {
		return r.g.View(x, off, r.n)
	}
	refs := make([]Ref, r.n)
	for j, t := range r.at {
		refs[j] = Ref{x, int32(off) + t}
	}
	return r.g.Gather(refs)
}

// need marks the carries that outs depend on.
func (l *Rounds) need(outs [][]Ref) {
	seen := map[Node]bool{}
	var visit func(r *Round, x Node)
	visit = func(r *Round, x Node) {
		if seen[x] || r.reach(x) != onCarries {
			return
		}
		seen[x] = true
		if i, ok := r.of[x]; ok {
			if c := l.carries[i]; !c.needed {
				c.needed = true
				for _, r := range l.kinds {
					visit(r, r.carries[i].next)
				}
			}
			return
		}
		for _, y := range r.inputs(x) {
			visit(r, y)
		}
	}
	for k, r := range l.kinds {
		for _, ref := range outs[k] {
			visit(r, r.scalar(ref))
		}
	}
}

// Recurs says whether a round needs what the round before has left. The loop must be closed.
func (l *Rounds) Recurs() bool {
	return slices.ContainsFunc(l.carries, func(c *carry) bool { return c.needed })
}

// History gives a carry before the first round and after each, for carry i; None where the loop
// does not need it.
func (l *Rounds) History(i int) Node {
	c := l.carries[i]
	if !c.needed || l.backward {
		return None
	}
	s, _ := l.g.at(l.scan).scan()
	off, n := s.history(c.place)
	x := l.g.View(l.scan, off, n)
	if l.each(func(_ int, r *Round) bool { return l.g.at(r.carries[i].hole).nonneg }) {
		l.g.at(x).nonneg = true
	}
	if c.rooted {
		return l.g.Map(Sqrt, n, x)
	}
	return x
}

// Recurs says whether a round needs what the round before has left. The round must be
// closed.
func (r *Round) Recurs() bool { return r.loop.Recurs() }

// History gives a carry before the first round and after each, for carry i in the order
// in which they were made; None where the loop does not need it.
func (r *Round) History(i int) Node { return r.loop.History(i) }
