// Reverse mode by source transformation: adjoints as further nodes of the graph.

package autodiff

// Gradient appends the nodes that compute the derivative of a scalar node with
// respect to the input, and returns the node that holds it (of the input's length).
//
// Adjoints are kept as lists of contributions: whole vectors (or scalars that count
// for every element), and parts. A value used once has its adjoint by assignment;
// nothing is zeroed and accumulated unless parts of a vector are used separately.
func (g *Graph) Gradient(out Node) Node {
	r := &reverser{g: g, ends: make([]ends, out+1), whole: make([]link, 1, out+1), parts: map[Node][]contribution{}}
	r.add(out, g.Scalar(1))
	for x := out; x > g.input; x-- {
		n := g.at(x)
		if !n.active || r.empty(x) {
			continue
		}
		if s, ok := n.scan(); ok {
			r.scanRule(x, s)
			continue
		}
		r.propagate(x, r.total(x))
	}
	if r.empty(g.input) {
		return g.Const(make([]float64, g.dims))
	}
	return r.full(r.total(g.input), g.dims)
}

// A contribution to some elements: src has one element for each; they are
// off, off+1, ... or at[0], at[1], ....
type contribution struct {
	src  Node
	off  int
	at   []int32 // nil for a contiguous range
	from []int32 // elements of src that go there; nil for all in order
}

// A reverser collects contributions to the adjoints of nodes.
type reverser struct {
	g     *Graph
	ends  []ends // of each node's list of contributions to the whole
	whole []link // those of all nodes; the first one is no contribution
	parts map[Node][]contribution
	list  []Node // those to the node at hand
}

// ends are the first and the last link of a list; 0 where it is empty.
type ends struct{ first, last int32 }

// A link is a contribution of the length of the node, or of length 1 for every element
// alike, and what comes after it.
type link struct {
	a    Node
	next int32
}

func (r *reverser) empty(x Node) bool { return r.ends[x].first == 0 && len(r.parts[x]) == 0 }

// add notes a contribution to the whole of x.
func (r *reverser) add(x, a Node) {
	if !r.g.at(x).active {
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
func (r *reverser) wholes(x Node) []Node {
	r.list = r.list[:0]
	for k := r.ends[x].first; k != 0; k = r.whole[k].next {
		r.list = append(r.list, r.whole[k].a)
	}
	return r.list
}

// total sums the contributions to x: a node of x's length, or of length 1 where all
// elements have the same adjoint.
func (r *reverser) total(x Node) Node {
	n := r.g.at(x).len()
	sum := None
	if parts := r.parts[x]; len(parts) > 0 {
		sum = r.accumulate(n, parts)
	}
	whole := r.wholes(x)
	// Scalars first: many of them make one sum, not a chain of additions.
	scalar := None
	refs := r.scalars(whole)
	if len(refs) > oneByOne {
		scalar = r.g.Sum(r.g.Gather(refs))
	}
	for _, a := range whole {
		if r.g.Len(a) != 1 {
			sum = r.plus(sum, a)
		} else if len(refs) <= oneByOne {
			scalar = r.plus(scalar, a)
		}
	}
	if scalar == None {
		return sum
	}
	return r.plus(sum, scalar)
}

// oneByOne is the greatest number of contributions that are added one by one.
const oneByOne = 4

// scalars lists the contributions of length 1.
func (r *reverser) scalars(whole []Node) []Ref {
	var refs []Ref
	if len(whole) > oneByOne {
		refs = make([]Ref, 0, len(whole))
	}
	for _, a := range whole {
		if r.g.Len(a) == 1 {
			refs = append(refs, Ref{Node: a})
		}
	}
	return refs
}

// plus adds two adjoints, of which either may be missing or a scalar.
func (r *reverser) plus(x, y Node) Node {
	if x == None {
		return y
	}
	return r.g.Map(Add, max(r.g.Len(x), r.g.Len(y)), x, y)
}

// accumulate makes the node that puts parts together.
func (r *reverser) accumulate(n int, parts []contribution) Node {
	if refs, ok := r.cover(n, parts); ok {
		return r.g.Gather(refs)
	}
	s := sources{}
	acc := node{kind: kindAccumulate, n: int32(n), extra: &extra{}}
	for _, p := range parts {
		acc.parts = append(acc.parts, part{src: s.place(p.src), off: p.off, at: p.at, from: p.from})
	}
	return r.g.add(acc.withAll(s.list))
}

// cover recognises parts that set every element exactly once, so that assignment
// does.
func (r *reverser) cover(n int, parts []contribution) ([]Ref, bool) {
	refs := make([]Ref, n)
	for i := range refs {
		refs[i].Node = None
	}
	filled := 0
	for _, p := range parts {
		for k := range r.count(p) {
			to, from := p.off+k, k
			if p.at != nil {
				to, from = int(p.at[k]), int(p.from[k])
			}
			if refs[to].Node != None {
				return nil, false
			}
			if r.g.at(p.src).n == 1 {
				from = 0
			}
			refs[to] = Ref{p.src, int32(from)}
			filled++
		}
	}
	return refs, filled == n
}

func (r *reverser) count(p contribution) int {
	if p.at != nil {
		return len(p.at)
	}
	return r.g.Len(p.src)
}

// full makes a node of length n of one that may have length 1.
func (r *reverser) full(a Node, n int) Node {
	if r.g.Len(a) == n {
		return a
	}
	if v, ok := r.g.scalarValue(a); ok {
		data := make([]float64, n)
		for i := range data {
			data[i] = v
		}
		return r.g.Const(data)
	}
	refs := make([]Ref, n)
	for i := range refs {
		refs[i] = Ref{a, 0}
	}
	return r.g.Gather(refs)
}

// propagate sends the adjoint a of x on to its inputs.
func (r *reverser) propagate(x, a Node) {
	n := r.g.at(x)
	switch n.kind {
	case kindMap:
		r.mapRule(x, n, a)
	case kindView:
		r.part(n.in()[0], contribution{src: r.full(a, n.len()), off: int(n.off)})
	case kindGather:
		r.gatherRule(x, n, a)
	case kindSum:
		r.add(n.in()[0], a)
	case kindDot:
		if n.in()[0] == n.in()[1] {
			twice := r.g.Map(Mul, 1, r.g.Scalar(2), a)
			r.add(n.in()[0], r.g.Map(Mul, r.g.Len(n.in()[0]), twice, n.in()[0]))
			return
		}
		r.add(n.in()[0], r.g.Map(Mul, r.g.Len(n.in()[1]), a, n.in()[1]))
		r.add(n.in()[1], r.g.Map(Mul, r.g.Len(n.in()[0]), a, n.in()[0]))
	case kindMatVec:
		r.matVecRule(n, a)
	case kindOpaque:
		r.opaqueRule(x, n, a)
	}
}

func (r *reverser) part(x Node, c contribution) {
	if r.g.at(x).active {
		r.parts[x] = append(r.parts[x], c)
	}
}

func (r *reverser) gatherRule(x Node, n *node, a Node) {
	scalar := r.g.at(a).n == 1
	at := make([][]int32, len(n.in()))
	from := make([][]int32, len(n.in()))
	if len(n.in()) == 1 {
		at[0], from[0] = make([]int32, 0, len(n.refs)), make([]int32, 0, len(n.refs))
	}
	for i, ref := range n.refs {
		if scalar {
			i = 0
		}
		if v, ok := r.view(n.in()[ref.Node], ref.Elem); ok && v < x {
			r.add(v, r.g.Elem(a, i))
			continue
		}
		at[ref.Node] = append(at[ref.Node], ref.Elem)
		from[ref.Node] = append(from[ref.Node], int32(i))
	}
	for k, x := range n.in() {
		switch {
		case len(at[k]) == 0:
		case r.g.at(x).n == 1:
			r.add(x, r.gathered(a, from[k]))
		default:
			r.part(x, contribution{src: a, at: at[k], from: from[k]})
		}
	}
}

// gathered is the adjoint of a number that a gather has in some places.
func (r *reverser) gathered(a Node, places []int32) Node {
	switch {
	case len(places) == 1:
		return r.g.Elem(a, int(places[0]))
	case r.g.Len(a) == 1:
		return r.g.Map(Mul, 1, r.g.Scalar(float64(len(places))), a)
	}
	refs := make([]Ref, len(places))
	for i, k := range places {
		refs[i] = Ref{a, k}
	}
	return r.g.Sum(r.g.Gather(refs))
}

// view finds the node of a single element that was used by itself, too; its adjoint
// then collects what this element gets from everywhere.
func (r *reverser) view(x Node, elem int32) (Node, bool) {
	if r.g.at(x).n == 1 {
		return None, false
	}
	n := viewOf(x, int(elem), 1)
	v, _ := r.g.find(&n)
	return v, v != None
}

func (r *reverser) matVecRule(n *node, a Node) {
	mat, x, rows := n.in()[0], n.in()[1], int(n.off)
	a = r.full(a, rows)
	if r.g.at(x).active {
		r.add(x, r.g.matTVec(mat, a, rows))
	}
	if r.g.at(mat).active {
		r.add(mat, r.g.Opaque(outer{}, r.g.Len(mat), a, x))
	}
}

func (r *reverser) opaqueRule(x Node, n *node, a Node) {
	active := make([]bool, len(n.in()))
	length := 0
	for i, in := range n.in() {
		active[i] = r.g.at(in).active
		if active[i] {
			length += r.g.Len(in)
		}
	}
	if fused, ok := n.fn.Fused(active); ok {
		f := r.g.Opaque(fused, n.len()*(1+length), n.in()...)
		r.g.fused[x] = f
		jac := r.g.View(f, n.len(), n.len()*length)
		if n.n == 1 {
			r.spread(n.in(), active, jac, func(d Node, size int) Node { return r.g.Map(Mul, size, a, d) })
			return
		}
		v := r.g.matTVec(jac, r.full(a, n.len()), n.len())
		r.spread(n.in(), active, v, func(d Node, _ int) Node { return d })
		return
	}
	in := append(append([]Node(nil), n.in()...), x, r.full(a, n.len()))
	v := r.g.add(node{kind: kindOpaqueVJP, n: int32(length), extra: &extra{fn: n.fn, want: active}}.withAll(in))
	r.spread(n.in(), active, v, func(d Node, _ int) Node { return d })
}

// spread adds to each active input its adjoint, made of its block of f.
func (r *reverser) spread(in []Node, active []bool, f Node, adjoint func(block Node, size int) Node) {
	off := 0
	for i, x := range in {
		if !active[i] {
			continue
		}
		size := r.g.Len(x)
		r.add(x, adjoint(r.g.View(f, off, size), size))
		off += size
	}
}
