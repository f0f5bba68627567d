// Rows that are chosen when a program runs: a graph made again for minibatches.

package graph

// Rows says where the numbers of rows are in a node: row i has cols of them, stride apart, from off + i*step on.
type Rows struct{ Off, Step, Cols, Stride int }

// at is where number c of row i is.
func (r Rows) at(i, c int) int { return r.Off + i*r.Step + c*r.Stride }

// A Slicer makes nodes of one graph again in another one, as a whole or size rows of n. A node of
// rows holds the first number of each row, then the second of each, and so on. What rows take of
// constants are runtime constants, so that a program is for any rows. It must be the only one to
// make runtime constants in the other graph.
type Slicer struct {
	*Substitution
	// Call makes rows of a function again: None where they are elements of the whole, and false where
	// these should not be computed.
	Call    func(fn Opaque, in []Node, at Rows) (Node, bool)
	n, size int
	made    map[slice]Node
	taken   []taken
}

// A slice is some numbers of each row of a node.
type slice struct {
	node Node
	at   Rows
}

// A taken is numbers of constants among the runtime constants.
type taken struct {
	data []float64
	at   Rows
	off  int
}

// NewSlicer begins to make nodes of a graph again in another one without runtime constants, whose
// input begins with that of the first.
func NewSlicer(from, to *Graph, n, size int) *Slicer {
	to.RuntimeConstants([]float64{0}) // the first is not used: no view is of all, as their number grows
	return &Slicer{Substitution: NewSubstitution(from, to, to.View(to.Input(), 0, from.Dims)), n: n, size: size, made: map[slice]Node{}}
}

// Fill writes the runtime constants of the chosen rows into out, which is as long as they are.
func (s *Slicer) Fill(rows []int, out []float64) {
	for _, t := range s.taken {
		for c := range t.at.Cols {
			for b, i := range rows {
				out[t.off+c*s.size+b] = t.data[t.at.at(i, c)]
			}
		}
	}
}

// Size is the number of rows that are chosen.
func (s *Slicer) Size() int { return s.size }

// Constants is the number of runtime constants.
func (s *Slicer) Constants() int { return s.to.At(s.to.RuntimeConsts).Len() }

// Constant makes rows of constants.
func (s *Slicer) Constant(data []float64, at Rows) Node {
	t := taken{data: data, at: at, off: s.Constants()}
	s.taken = append(s.taken, t)
	all := s.to.At(s.to.RuntimeConsts)
	for c := range at.Cols {
		for b := range s.size {
			all.Data = append(all.Data, data[at.at(b%s.n, c)])
		}
	}
	all.N = int32(len(all.Data))
	return s.to.share(ViewOf(s.to.RuntimeConsts, t.off, s.size*at.Cols))
}

// Rows makes rows of a node; false where that is not known. A node of length 1 is the same for all rows.
func (s *Slicer) Rows(x Node, at Rows) (Node, bool) {
	if s.from.At(x).N == 1 {
		return s.Node(x), true
	}
	key := slice{x, at}
	y, ok := s.made[key]
	if !ok {
		if y, ok = s.make(x, at); ok {
			s.made[key] = y
		}
	}
	return y, ok
}

func (s *Slicer) make(x Node, at Rows) (Node, bool) {
	n := s.from.At(x)
	switch in := n.In(); n.Kind {
	case KindConst:
		return s.Constant(n.Data, at), true
	case KindView:
		at.Off += int(n.Off)
		return s.Rows(in[0], at)
	case KindMap:
		return s.elementwise(n, at)
	case KindMatVec:
		if at.Cols == 1 {
			return s.product(in, Rows{at.Off, at.Step, s.from.Len(in[1]), int(n.Off)})
		}
	case KindMatTVec:
		if rows := int(n.Off); at.Cols == 1 {
			return s.product(in, Rows{at.Off * rows, at.Step * rows, rows, 1})
		}
	case KindGather:
		return s.gather(n, at)
	case KindOpaque:
		if y, ok := s.Call(n.Fn, in, at); y != None || !ok {
			return y, ok
		}
	}
	return s.chosen(s.Node(x), at, func(k int) int { return k }), true
}

func (s *Slicer) elementwise(n *NodeDef, at Rows) (Node, bool) {
	in := make([]Node, len(n.In()))
	for k, x := range n.In() {
		y, ok := s.Rows(x, at)
		if !ok {
			return None, false
		}
		in[k] = y
	}
	return s.to.Map(n.Op, s.size*at.Cols, in...), true
}

// product is rows of a matrix times a vector.
func (s *Slicer) product(in []Node, at Rows) (Node, bool) {
	a, ok := s.Rows(in[0], at)
	if !ok {
		return None, false
	}
	return s.to.MatVec(a, s.Node(in[1]), s.size), true
}

// gather makes rows of single elements: the same in each row, at equal distances in one node, or
// any.
func (s *Slicer) gather(n *NodeDef, at Rows) (Node, bool) {
	ref := func(i, c int) Ref { return n.Refs[at.at(i, c)] }
	if first := ref(0, 0); s.n > 1 {
		to := Rows{Off: int(first.Elem), Step: int(ref(1, 0).Elem - first.Elem), Cols: at.Cols}
		if at.Cols > 1 {
			to.Stride = int(ref(0, 1).Elem - first.Elem)
		}
		if s.every(at, func(i, c int) bool { return ref(i, c) == Ref{first.Node, int32(to.at(i, c))} }) && to.Step > 0 {
			return s.Rows(n.In()[first.Node], to)
		}
	}
	if s.every(at, func(i, c int) bool { return ref(i, c) == ref(0, c) }) {
		refs := make([]Ref, 0, s.size*at.Cols)
		for c := range at.Cols {
			r := ref(0, c)
			for range s.size {
				refs = append(refs, Ref{s.Node(n.In()[r.Node]), r.Elem})
			}
		}
		return s.to.Gather(refs), true
	}
	return s.choose(n, at)
}

func (s *Slicer) every(at Rows, holds func(i, c int) bool) bool {
	for i := range s.n {
		for c := range at.Cols {
			if !holds(i, c) {
				return false
			}
		}
	}
	return true
}

// choose makes rows of a gather by the places of their elements, which are runtime constants.
func (s *Slicer) choose(n *NodeDef, at Rows) (Node, bool) {
	place := map[Ref]int{}
	var list []Ref
	for _, r := range n.Refs {
		if _, ok := place[r]; !ok {
			place[r] = len(list)
			list = append(list, Ref{s.Node(n.In()[r.Node]), r.Elem})
		}
	}
	return s.chosen(s.to.Gather(list), at, func(k int) int { return place[n.Refs[k]] }), true
}

// chosen makes rows of elements of y by their places there.
func (s *Slicer) chosen(y Node, at Rows, place func(k int) int) Node {
	index := make([]float64, s.n*at.Cols)
	for i := range s.n {
		for c := range at.Cols {
			index[c*s.n+i] = float64(place(at.at(i, c)))
		}
	}
	return s.to.Opaque(chosen{}, s.size*at.Cols, y, s.Constant(index, Rows{Step: 1, Cols: at.Cols, Stride: s.n}))
}

// chosen is elements of the first vector at the places that the second one has.
type chosen struct{}

// String names the function in dumps.
func (chosen) String() string { return "chosen" }

// Instance returns the (stateless) function itself.
func (f chosen) Instance() Instance { return f }

// Fused reports that there is no fused form.
func (chosen) Fused([]bool) (Opaque, bool) { return nil, false }

// Value fills out with the elements.
func (chosen) Value(in [][]float64, out []float64) error {
	for b, i := range in[1] {
		out[b] = in[0][int(i)]
	}
	return nil
}

// VJP adds the adjoints where the elements come from.
func (chosen) VJP(in [][]float64, _, adj []float64, din [][]float64) {
	for b, i := range in[1] {
		din[0][int(i)] += adj[b]
	}
}
