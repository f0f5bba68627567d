// Rows that repeat: which elements of vectors are the same by how they are made, and vectors of some elements.

package graph

import "math"

// A rowFinder numbers elements of nodes so that those with one number are equal whatever the input is.
type rowFinder struct {
	g     *Graph
	n     int // elements that are looked at
	most  int // different ones
	known map[Node][]int32
}

// EqualRows numbers the n elements of vectors, taken together, so that those with one number are equal by how they are
// made: of constants, of elements of one node, by elementwise operations and products of constant matrices. Numbers are
// given in the order in which they occur. ok is false where there is no vector, or a number occurs fewer than each
// times on average, among the first elements, too.
func (g *Graph) EqualRows(n, each int, list []Node) (of []int32, ok bool) {
	const probed = 2048
	if n > 2*probed {
		if _, ok := g.EqualRows(probed, each, list); !ok {
			return nil, false
		}
	}
	f := &rowFinder{g, n, n / each, map[Node][]int32{}}
	for _, x := range list {
		if g.Len(x) == 1 {
			continue
		}
		if of = f.together(of, f.rows(x)); of == nil {
			return nil, false
		}
	}
	return of, of != nil
}

// one numbers elements that are all equal.
func (f *rowFinder) one() []int32 { return make([]int32, f.n) }

// together numbers pairs; nil for a is no number. It is nil where there are too many.
func (f *rowFinder) together(a, b []int32) []int32 {
	if a == nil || b == nil {
		return b
	}
	known, out := map[[2]int32]int32{}, make([]int32, f.n)
	for i := range out {
		key := [2]int32{a[i], b[i]}
		k, ok := known[key]
		if !ok {
			if k = int32(len(known)); len(known) == f.most {
				return nil
			}
			known[key] = k
		}
		out[i] = k
	}
	return out
}

// rows numbers the elements of a vector, or the one number that stands for all; nil where there are too many.
func (f *rowFinder) rows(x Node) []int32 {
	if f.g.Len(x) == 1 {
		return f.one()
	}
	if of, ok := f.known[x]; ok {
		return of
	}
	n, of := f.g.At(x), f.one()
	switch n.Kind {
	case KindConst:
		of = f.constants(n.Data)
	case KindMap:
		for _, y := range n.In() {
			if of = f.together(of, f.rows(y)); of == nil {
				break
			}
		}
	case KindMatVec:
		if m := f.g.At(n.In()[0]); m.Kind == KindConst {
			for at := 0; at < len(m.Data) && of != nil; at += n.Len() {
				of = f.together(of, f.constants(m.Data[at:]))
			}
			break
		}
		of = f.elements(x)
	default:
		of = f.elements(x)
	}
	f.known[x] = of
	return of
}

func (f *rowFinder) constants(x []float64) []int32 {
	return f.numbered(func(i int) uint64 { return math.Float64bits(x[i]) })
}

// elements numbers the elements of x by their places.
func (f *rowFinder) elements(x Node) []int32 {
	return f.numbered(func(i int) uint64 {
		r := f.g.Source(x, i)
		return uint64(r.Node)<<32 | uint64(uint32(r.Elem))
	})
}

func (f *rowFinder) numbered(key func(i int) uint64) []int32 {
	known, out := map[uint64]int32{}, make([]int32, f.n)
	for i := range out {
		b := key(i)
		k, ok := known[b]
		if !ok {
			if k = int32(len(known)); len(known) == f.most {
				return nil
			}
			known[b] = k
		}
		out[i] = k
	}
	return out
}

// Pick is a vector of elements of x, at positions that ascend; a single number stays one. What x is made of elementwise is made anew
// of elements, so that nothing else of it is needed.
func (g *Graph) Pick(x Node, at []int) Node {
	n := g.At(x)
	switch {
	case n.N == 1:
		return x
	case n.Kind == KindConst:
		return g.Const(elementsAt(n.Data, at))
	case n.Kind == KindMap:
		in := make([]Node, len(n.In()))
		for k, y := range n.In() {
			in[k] = g.Pick(y, at)
		}
		return g.Map(n.Op, len(at), in...)
	case n.Kind == KindMatVec && g.At(n.In()[0]).Kind == KindConst:
		var rows []float64
		for data := g.At(n.In()[0]).Data; len(data) > 0; data = data[n.N:] {
			rows = append(rows, elementsAt(data, at)...)
		}
		return g.MatVec(g.Const(rows), n.In()[1], len(at))
	}
	refs := make([]Ref, len(at))
	for k, i := range at {
		refs[k] = Ref{Node: x, Elem: int32(i)}
	}
	return g.Gather(refs)
}

func elementsAt(x []float64, at []int) []float64 {
	out := make([]float64, len(at))
	for k, i := range at {
		out[k] = x[i]
	}
	return out
}
