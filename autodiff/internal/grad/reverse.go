// Reverse mode by source transformation: adjoints as further nodes of the graph.

package grad

import (
	"github.com/seed-12b88e03/ppl/autodiff/internal/graph"
	"github.com/seed-12b88e03/ppl/autodiff/internal/loop"
)

// Gradient appends the nodes that compute the derivative of a scalar node with
// respect to the input, and returns the node that holds it (of the input's length).
//
// Adjoints are kept as lists of contributions: whole vectors (or scalars that count
// for every element), and parts. A value used once has its adjoint by assignment;
// nothing is zeroed and accumulated unless parts of a vector are used separately.
func Gradient(g *graph.Graph, out graph.Node) graph.Node {
	r := &Reverser{G: g, ends: make([]ends, out+1), whole: make([]link, 1, out+1), parts: map[graph.Node][]contribution{}}
	r.add(out, g.Scalar(1))
	for x := out; x > g.InputNode; x-- {
		n := g.At(x)
		if !n.Active || r.empty(x) {
			continue
		}
		if s, ok := loop.ScanOf(n); ok {
			r.scanRule(x, s)
			continue
		}
		r.propagate(x, r.total(x))
	}
	if r.empty(g.InputNode) {
		return g.Const(make([]float64, g.Dims))
	}
	return r.Full(r.total(g.InputNode), g.Dims)
}

// A contribution to some elements: src has one element for each; they are
// off, off+1, ... or at[0], at[1], ....
type contribution struct {
	src  graph.Node
	off  int
	at   []int32 // nil for a contiguous range
	from []int32 // elements of src that go there; nil for all in order
}

// A Reverser collects contributions to the adjoints of nodes.
type Reverser struct {
	G     *graph.Graph
	ends  []ends // of each node's list of contributions to the whole
	whole []link // those of all nodes; the first one is no contribution
	parts map[graph.Node][]contribution
	list  []graph.Node // those to the node at hand
}

// ends are the first and the last link of a list; 0 where it is empty.
type ends struct{ first, last int32 }

// A link is a contribution of the length of the node, or of length 1 for every element
// alike, and what comes after it.
type link struct {
	a    graph.Node
	next int32
}

func (r *Reverser) empty(x graph.Node) bool { return r.ends[x].first == 0 && len(r.parts[x]) == 0 }

// add notes a contribution to the whole of x.
func (r *Reverser) add(x, a graph.Node) {
	if !r.G.At(x).Active {
		return
	}
	k := int32(len(r.whole))
	r.whole = append(r.whole, link{a: a})
	e := &r.ends[x]
	if e.first == 0 {
		e.first = k
	} else {
		r.whole[e.last].next = k
	}
	e.last = k
}

// wholes lists the contributions to the whole of x until the next call.
func (r *Reverser) wholes(x graph.Node) []graph.Node {
	r.list = r.list[:0]
	for k := r.ends[x].first; k != 0; k = r.whole[k].next {
		r.list = append(r.list, r.whole[k].a)
	}
	return r.list
}

// total sums the contributions to x: a node of x's length, or of length 1 where all
// elements have the same adjoint.
func (r *Reverser) total(x graph.Node) graph.Node {
	n := r.G.At(x).Len()
	sum := graph.None
	if parts := r.parts[x]; len(parts) > 0 {
		sum = r.accumulate(n, parts)
	}
	whole := r.wholes(x)
	// Scalars first: many of them make one sum, not a chain of additions.
	scalar := graph.None
	refs := r.scalars(whole)
	if len(refs) > oneByOne {
		scalar = r.G.Sum(r.G.Gather(refs))
	}
	for _, a := range whole {
		if r.G.Len(a) != 1 {
			sum = r.plus(sum, a)
		} else if len(refs) <= oneByOne {
			scalar = r.plus(scalar, a)
		}
	}
	if scalar == graph.None {
		return sum
	}
	return r.plus(sum, scalar)
}

// oneByOne is the greatest number of contributions that are added one by one.
const oneByOne = 4

// scalars lists the contributions of length 1.
func (r *Reverser) scalars(whole []graph.Node) []graph.Ref {
	var refs []graph.Ref
	if len(whole) > oneByOne {
		refs = make([]graph.Ref, 0, len(whole))
	}
	for _, a := range whole {
		if r.G.Len(a) == 1 {
			refs = append(refs, graph.Ref{Node: a})
		}
	}
	return refs
}

// plus adds two adjoints, of which either may be missing or a scalar.
func (r *Reverser) plus(x, y graph.Node) graph.Node {
	if x == graph.None {
		return y
	}
	return r.G.Map(graph.Add, max(r.G.Len(x), r.G.Len(y)), x, y)
}

// accumulate makes the node that puts parts together.
func (r *Reverser) accumulate(n int, parts []contribution) graph.Node {
	if refs, ok := r.cover(n, parts); ok {
		return r.G.Gather(refs)
	}
	s := graph.Sources{}
	acc := graph.NodeDef{Kind: graph.KindAccumulate, N: int32(n), Extra: &graph.Extra{}}
	for _, p := range parts {
		acc.Parts = append(acc.Parts, graph.Part{Src: s.Place(p.src), Off: p.off, At: p.at, From: p.from})
	}
	return r.G.Add(acc.WithAll(s.List))
}

// cover recognises parts that set every element exactly once, so that assignment
// does.
func (r *Reverser) cover(n int, parts []contribution) ([]graph.Ref, bool) {
	refs := make([]graph.Ref, n)
	for i := range refs {
		refs[i].Node = graph.None
	}
	filled := 0
	for _, p := range parts {
		for k := range r.count(p) {
			to, from := p.off+k, k
			if p.at != nil {
				to, from = int(p.at[k]), int(p.from[k])
			}
			if refs[to].Node != graph.None {
				return nil, false
			}
			if r.G.At(p.src).N == 1 {
				from = 0
			}
			refs[to] = graph.Ref{Node: p.src, Elem: int32(from)}
			filled++
		}
	}
	return refs, filled == n
}

func (r *Reverser) count(p contribution) int {
	if p.at != nil {
		return len(p.at)
	}
	return r.G.Len(p.src)
}

// Full makes a node of length n of one that may have length 1.
func (r *Reverser) Full(a graph.Node, n int) graph.Node {
	if r.G.Len(a) == n {
		return a
	}
	if v, ok := r.G.ScalarValue(a); ok {
		data := make([]float64, n)
		for i := range data {
			data[i] = v
		}
		return r.G.Const(data)
	}
	refs := make([]graph.Ref, n)
	for i := range refs {
		refs[i] = graph.Ref{Node: a, Elem: 0}
	}
	return r.G.Gather(refs)
}

// propagate sends the adjoint a of x on to its inputs.
func (r *Reverser) propagate(x, a graph.Node) {
	n := r.G.At(x)
	switch n.Kind {
	case graph.KindMap:
		r.mapRule(x, n, a)
	case graph.KindView:
		r.part(n.In()[0], contribution{src: r.Full(a, n.Len()), off: int(n.Off)})
	case graph.KindGather:
		r.gatherRule(x, n, a)
	case graph.KindSum:
		r.add(n.In()[0], a)
	case graph.KindDot:
		if n.In()[0] == n.In()[1] {
			twice := r.G.Map(graph.Mul, 1, r.G.Scalar(2), a)
			r.add(n.In()[0], r.G.Map(graph.Mul, r.G.Len(n.In()[0]), twice, n.In()[0]))
			return
		}
		r.add(n.In()[0], r.G.Map(graph.Mul, r.G.Len(n.In()[1]), a, n.In()[1]))
		r.add(n.In()[1], r.G.Map(graph.Mul, r.G.Len(n.In()[0]), a, n.In()[0]))
	case graph.KindMatVec:
		r.matVecRule(n, a)
	case graph.KindOpaque:
		r.opaqueRule(x, n, a)
	}
}

func (r *Reverser) part(x graph.Node, c contribution) {
	if r.G.At(x).Active {
		r.parts[x] = append(r.parts[x], c)
	}
}

func (r *Reverser) gatherRule(x graph.Node, n *graph.NodeDef, a graph.Node) {
	scalar := r.G.At(a).N == 1
	at := make([][]int32, len(n.In()))
	from := make([][]int32, len(n.In()))
	if len(n.In()) == 1 {
		at[0], from[0] = make([]int32, 0, len(n.Refs)), make([]int32, 0, len(n.Refs))
	}
	for i, ref := range n.Refs {
		if scalar {
			i = 0
		}
		if v, ok := r.view(n.In()[ref.Node], ref.Elem); ok && v < x {
			r.add(v, r.G.Elem(a, i))
			continue
		}
		at[ref.Node] = append(at[ref.Node], ref.Elem)
		from[ref.Node] = append(from[ref.Node], int32(i))
	}
	for k, x := range n.In() {
		switch {
		case len(at[k]) == 0:
		case r.G.At(x).N == 1:
			r.add(x, r.gathered(a, from[k]))
		default:
			r.part(x, contribution{src: a, at: at[k], from: from[k]})
		}
	}
}

// gathered is the adjoint of a number that a gather has in some places.
func (r *Reverser) gathered(a graph.Node, places []int32) graph.Node {
	switch {
	case len(places) == 1:
		return r.G.Elem(a, int(places[0]))
	case r.G.Len(a) == 1:
		return r.G.Map(graph.Mul, 1, r.G.Scalar(float64(len(places))), a)
	}
	refs := make([]graph.Ref, len(places))
	for i, k := range places {
		refs[i] = graph.Ref{Node: a, Elem: k}
	}
	return r.G.Sum(r.G.Gather(refs))
}

// view finds the node of a single element that was used by itself, too; its adjoint
// then collects what this element gets from everywhere.
func (r *Reverser) view(x graph.Node, elem int32) (graph.Node, bool) {
	if r.G.At(x).N == 1 {
		return graph.None, false
	}
	n := graph.ViewOf(x, int(elem), 1)
	v, _ := r.G.Find(&n)
	return v, v != graph.None
}

func (r *Reverser) matVecRule(n *graph.NodeDef, a graph.Node) {
	mat, x, rows := n.In()[0], n.In()[1], int(n.Off)
	a = r.Full(a, rows)
	if r.G.At(x).Active {
		r.add(x, r.G.MatTVec(mat, a, rows))
	}
	if r.G.At(mat).Active {
		r.add(mat, r.G.Opaque(graph.Outer{}, r.G.Len(mat), a, x))
	}
}

func (r *Reverser) opaqueRule(x graph.Node, n *graph.NodeDef, a graph.Node) {
	active := make([]bool, len(n.In()))
	length := 0
	for i, in := range n.In() {
		active[i] = r.G.At(in).Active
		if active[i] {
			length += r.G.Len(in)
		}
	}
	if fused, ok := n.Fn.Fused(active); ok {
		f := r.G.Opaque(fused, n.Len()*(1+length), n.In()...)
		r.G.Fused[x] = f
		jac := r.G.View(f, n.Len(), n.Len()*length)
		if n.N == 1 {
			r.spread(n.In(), active, jac, func(d graph.Node, size int) graph.Node { return r.G.Map(graph.Mul, size, a, d) })
			return
		}
		v := r.G.MatTVec(jac, r.Full(a, n.Len()), n.Len())
		r.spread(n.In(), active, v, func(d graph.Node, _ int) graph.Node { return d })
		return
	}
	in := append(append([]graph.Node(nil), n.In()...), x, r.Full(a, n.Len()))
	v := r.G.Add(graph.NodeDef{Kind: graph.KindOpaqueVJP, N: int32(length), Extra: &graph.Extra{Fn: n.Fn, Want: active}}.WithAll(in))
	r.spread(n.In(), active, v, func(d graph.Node, _ int) graph.Node { return d })
}

// spread adds to each active input its adjoint, made of its block of f.
func (r *Reverser) spread(in []graph.Node, active []bool, f graph.Node, adjoint func(block graph.Node, size int) graph.Node) {
	off := 0
	for i, x := range in {
		if !active[i] {
			continue
		}
		size := r.G.Len(x)
		r.add(x, adjoint(r.G.View(f, off, size), size))
		off += size
	}
}
