// Loops of several variants of iterations, and the variables that all of them carry.

package loop

import (
	"slices"

	"github.com/seed-12b88e03/ppl/autodiff/internal/graph"
)

// A Loop consists of iterations. They may be of several variants, by what is known of data: where
// something was observed and where not, say. Each variant is recorded as a LoopBody of its own, over
// the iterations that are of it, so that nothing is computed, differentiated or checked in iterations
// of another one. What they have in common are the carries.
type Loop struct {
	g         *graph.Graph
	n         int
	Backward  bool // from the last iteration to the first
	MaxOps    int  // operations that an iteration of the loop may have
	carries   []*carry
	variants  []*LoopBody
	variantOf []uint8    // variant of each iteration; nil where there is one
	scan      graph.Node // of what the carries need
}

// A carry is a number that an iteration leaves for the next.
type carry struct {
	init   graph.Node
	rooted bool // the carry is the square root of what this is
	known  bool // the loop need not carry it: its values in all iterations are known without the loop
	needed bool
	place  int // among the carries of the scan
}

// MaxVariants is the greatest number of variants of a loop.
const MaxVariants = 16

// NewLoop begins the recording of a loop of n iterations, of which there must be two at least.
func NewLoop(g *graph.Graph, n int) *Loop {
	return &Loop{g: g, n: n, MaxOps: MaxCore, scan: graph.None}
}

// Variant begins the recording of the iterations at, counted from 0 and ascending, or of all where
// at is nil. It may be begun in vain: what the loop consists of is said when it is closed.
func (l *Loop) Variant(at []int32) *LoopBody {
	n := len(at)
	if at == nil {
		n = l.n
	}
	return &LoopBody{g: l.g, N: n, Loop: l, at: at, of: map[graph.Node]int{}, All: map[graph.Node]graph.Node{}, swapped: map[graph.Node]graph.Node{},
		picks: map[graph.Node]*choice{}, scalars: map[graph.Ref]graph.Node{}, reaches: map[graph.Node]dependence{}, partials: map[graph.Node]graph.Node{}, First: graph.Node(l.g.Size())}
}

// Carry adds a number that is init, a node of length 1, before the first iteration, and returns the
// number by which iterations know it.
func (l *Loop) Carry(init graph.Node) (i int) {
	l.carries = append(l.carries, &carry{init: init})
	return len(l.carries) - 1
}

// Close ends the recording: the loop consists of variants, one for each iteration. next is what the
// carries are after an iteration of each variant, by their numbers, and outs are what else is wanted
// of it. It fails where an iteration uses functions that cannot be done in many iterations at once.
func (l *Loop) Close(variants []*LoopBody, next, outs [][]graph.Ref) (err error) {
	defer func() {
		if e := recover(); e != nil {
			failed, ok := e.(bodyError)
			if !ok {
				panic(e)
			}
			err = failed
		}
	}()
	l.variants = variants
	l.indexVariants()
	next = l.beforeRoots(next)
	for k, r := range variants {
		for i := range l.carries {
			r.CarryIn(i)
			r.carries[i].next = r.scalar(next[k][i])
		}
		for _, ref := range outs[k] {
			r.scalar(ref)
		}
	}
	l.dropInvariant()
	l.need(outs)
	l.loop(outs)
	return nil
}

// indexVariants notes of which variant each iteration is.
func (l *Loop) indexVariants() {
	if len(l.variants) == 1 && l.variants[0].at == nil {
		return
	}
	const none = MaxVariants
	l.variantOf = slices.Repeat([]uint8{none}, l.n)
	left := l.n
	for k, r := range l.variants[:min(len(l.variants), MaxVariants)] {
		for _, t := range r.at {
			l.variantOf[t] = uint8(k)
		}
		left -= r.N
	}
	if left != 0 || slices.Contains(l.variantOf, none) {
		l.variants[0].fail("each iteration must be of one variant")
	}
}

// allVariants reports whether something holds of the iterations of all variants.
func (l *Loop) allVariants(holds func(k int, r *LoopBody) bool) bool {
	for k, r := range l.variants {
		if !holds(k, r) {
			return false
		}
	}
	return true
}

// beforeRoots lets carries that are square roots be what the root is taken of: it is
// often squared in the next iteration. It returns the new lists of next.
func (l *Loop) beforeRoots(next [][]graph.Ref) [][]graph.Ref {
	g := l.g
	out := make([][]graph.Ref, len(next))
	for k := range next {
		out[k] = slices.Clone(next[k])
	}
	for i, c := range l.carries {
		root := func(k int, r *LoopBody) bool {
			x := g.Resolve(next[k][i]).Node
			n := g.At(x)
			return n.Kind == graph.KindMap && n.Op == graph.Sqrt && n.N == 1 && g.At(n.Few[0]).Nonneg && r.reach(x) == onCarries
		}
		if !g.Does(graph.OptRoots) || !g.At(c.init).Nonneg || !l.allVariants(root) {
			continue
		}
		c.rooted, c.init = true, g.Map(graph.Square, 1, c.init)
		for k, r := range l.variants {
			old, square := r.CarryIn(i), placeholder(g, true, true)
			delete(r.of, old)
			r.of[square], r.reaches[square] = i, onCarries
			r.swapped[old] = g.Map(graph.Sqrt, 1, square)
			r.carries[i].placeholder = square
			out[k][i] = graph.Ref{Node: g.At(g.Resolve(next[k][i]).Node).Few[0]}
		}
	}
	return out
}

// dropInvariant finds the carries that the loop need not carry: those that keep their value, those that
// are what a step was one iteration before, and those that add up on the log scale.
func (l *Loop) dropInvariant() {
	for again := true; again; {
		again = false
		for i, c := range l.carries {
			kept := func(_ int, r *LoopBody) bool { return r.carries[i].next == r.carries[i].placeholder }
			free := func(_ int, r *LoopBody) bool { return r.reach(r.carries[i].next) != onCarries }
			switch {
			case c.known:
				continue
			case l.allVariants(kept):
				for _, r := range l.variants {
					r.define(r.carries[i].placeholder, c.init)
				}
			case l.allVariants(free):
				l.delay(i)
			case l.g.Does(graph.OptLogSums) && l.logSum(i):
			default:
				continue
			}
			c.known, again = true, true
			for _, r := range l.variants {
				r.resetDependences()
			}
		}
	}
}

// delay makes a carry what iterations know without the loop, one iteration later.
func (l *Loop) delay(i int) {
	init := l.carries[i].init
	vectors := make([]graph.Node, len(l.variants))
	same := true
	for k, r := range l.variants {
		vectors[k] = r.vector(r.carries[i].next)
		same = same && vectors[k] == init
	}
	if same {
		for _, r := range l.variants {
			r.define(r.carries[i].placeholder, init)
		}
		return
	}
	refs := l.Merged(func(k int) graph.Node { return vectors[k] })
	first := graph.Ref{Node: init}
	if l.Backward {
		refs = append(refs[1:], first)
	} else {
		refs = slices.Insert(refs[:l.n-1], 0, first)
	}
	for _, r := range l.variants {
		r.define(r.carries[i].placeholder, l.g.Gather(r.own(refs)))
	}
}

// Merged names the numbers of all iterations, vectors having those of each variant; there may be one
// number for all of them.
func (l *Loop) Merged(vector func(k int) graph.Node) []graph.Ref {
	refs := make([]graph.Ref, l.n)
	for k, r := range l.variants {
		v := vector(k)
		one := l.g.Len(v) == 1
		for j := range r.N {
			ref := graph.Ref{Node: v, Elem: int32(j)}
			if one {
				ref.Elem = 0
			}
			refs[r.iteration(j)] = ref
		}
	}
	return refs
}

// iteration is where iteration j of the variant is among all.
func (r *LoopBody) iteration(j int) int {
	if r.at == nil {
		return j
	}
	return int(r.at[j])
}

// own picks what belongs to the iterations of the variant.
func (r *LoopBody) own(refs []graph.Ref) []graph.Ref {
	if r.at == nil {
		return refs
	}
	out := make([]graph.Ref, r.N)
	for j, t := range r.at {
		out[j] = refs[t]
	}
	return out
}

// Part is, of the loop's numbers in x from off on, those of the iterations of the variant.
func (r *LoopBody) Part(x graph.Node, off int) graph.Node {
	if r.at == nil {
		return r.g.View(x, off, r.N)
	}
	refs := make([]graph.Ref, r.N)
	for j, t := range r.at {
		refs[j] = graph.Ref{Node: x, Elem: int32(off) + t}
	}
	return r.g.Gather(refs)
}

// need marks the carries that outs depend on.
func (l *Loop) need(outs [][]graph.Ref) {
	seen := map[graph.Node]bool{}
	var visit func(r *LoopBody, x graph.Node)
	visit = func(r *LoopBody, x graph.Node) {
		if seen[x] || r.reach(x) != onCarries {
			return
		}
		seen[x] = true
		if i, ok := r.of[x]; ok {
			if c := l.carries[i]; !c.needed {
				c.needed = true
				for _, r := range l.variants {
					visit(r, r.carries[i].next)
				}
			}
			return
		}
		for _, y := range r.inputs(x) {
			visit(r, y)
		}
	}
	for k, r := range l.variants {
		for _, ref := range outs[k] {
			visit(r, r.scalar(ref))
		}
	}
}

// Recurs reports whether an iteration needs what the iteration before has left. The loop must be
// closed.
func (l *Loop) Recurs() bool {
	return slices.ContainsFunc(l.carries, func(c *carry) bool { return c.needed })
}

// History returns a carry before the first iteration and after each, for carry i; None where the
// loop does not need it.
func (l *Loop) History(i int) graph.Node {
	c := l.carries[i]
	if !c.needed || l.Backward {
		return graph.None
	}
	s, _ := ScanOf(l.g.At(l.scan))
	off, n := s.History(c.place)
	x := l.g.View(l.scan, off, n)
	if l.allVariants(func(_ int, r *LoopBody) bool { return l.g.At(r.carries[i].placeholder).Nonneg }) {
		l.g.At(x).Nonneg = true
	}
	if c.rooted {
		return l.g.Map(graph.Sqrt, n, x)
	}
	return x
}

// Recurs reports whether an iteration needs what the iteration before has left. The iteration must
// be closed.
func (r *LoopBody) Recurs() bool { return r.Loop.Recurs() }

// History returns a carry before the first iteration and after each, for carry i in the order
// in which they were made; None where the loop does not need it.
func (r *LoopBody) History(i int) graph.Node { return r.Loop.History(i) }
