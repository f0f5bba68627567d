// Dependence: which elements of the input a number depends on, read off the graph.

package graph

import "slices"

// A Dependence knows, for the nodes made before it, on which elements of the input
// each of their elements depends: at least on all that its value can change with. It
// keeps the graph's elements apart through elementwise operations, views, gathers and
// products with constant matrices; of other operations every element depends on all
// that goes in.
type Dependence struct {
	sets  [][][]int32 // of each node: one set for each element, or one for all
	every []int32     // the whole input
	room  int         // numbers that may still be stored; beyond it sets become every
}

// dependenceRoom bounds the memory of a Dependence.
const dependenceRoom = 1 << 24

// Dependence analyses the graph as it is now.
func (g *Graph) Dependence() *Dependence {
	d := &Dependence{sets: make([][][]int32, g.Size()), every: make([]int32, g.Dims), room: dependenceRoom}
	for i := range d.every {
		d.every[i] = int32(i)
	}
	for x := range Node(g.Size()) {
		d.sets[x] = d.node(g, g.At(x))
	}
	return d
}

// Of returns the elements of the input that element elem of x depends on, ascending. The
// caller must not change the slice.
func (d *Dependence) Of(x Node, elem int) []int32 {
	sets := d.sets[x]
	if len(sets) == 1 {
		return sets[0]
	}
	return sets[elem]
}

func (d *Dependence) node(g *Graph, n *NodeDef) [][]int32 {
	if !n.Active {
		return [][]int32{nil}
	}
	out := make([][]int32, n.Len())
	switch n.Kind {
	case KindInput:
		for i := range out {
			out[i] = d.every[i : i+1]
		}
	case KindView:
		for i := range out {
			out[i] = d.Of(n.In()[0], int(n.Off)+i)
		}
	case KindGather:
		for i, r := range n.Refs {
			out[i] = d.Of(n.In()[r.Node], int(r.Elem))
		}
	case KindMap:
		for i := range out {
			for _, in := range n.In() {
				out[i] = d.union(out[i], d.Of(in, i))
			}
		}
	case KindMatVec:
		a := g.At(n.In()[0])
		if a.Kind != KindConst {
			return d.whole(n)
		}
		for i := range out {
			for j := range a.Len() / len(out) {
				if a.Data[j*len(out)+i] != 0 {
					out[i] = d.union(out[i], d.Of(n.In()[1], j))
				}
			}
		}
	default:
		return d.whole(n)
	}
	return out
}

// whole is one set for all elements.
func (d *Dependence) whole(n *NodeDef) [][]int32 {
	var all []int32
	for _, in := range n.In() {
		for _, s := range d.sets[in] {
			all = d.union(all, s)
		}
	}
	return [][]int32{all}
}

// union merges two ascending sets, sharing memory where one has the other in it.
func (d *Dependence) union(a, b []int32) []int32 {
	switch {
	case len(b) == 0 || len(a) == len(d.every):
		return a
	case len(a) == 0 || len(b) == len(d.every):
		return b
	case subset(b, a):
		return a
	case subset(a, b):
		return b
	case d.room < len(a)+len(b):
		return d.every
	}
	out := append(append(make([]int32, 0, len(a)+len(b)), a...), b...)
	slices.Sort(out)
	out = slices.Compact(out)
	d.room -= len(out)
	return out
}

// subset reports whether a is in b; both ascend.
func subset(a, b []int32) bool {
	if len(a) > len(b) {
		return false
	}
	j := 0
	for _, x := range a {
		for j < len(b) && b[j] < x {
			j++
		}
		if j == len(b) || b[j] != x {
			return false
		}
	}
	return true
}
