// Effects that are products: coordinates with a standard density times a scale, or times a triangular matrix.

package centring

import (
	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/ir/eval"
)

// mostCorrelated is how many effects of a group a triangular matrix may correlate, and leastGroups in how many groups. Each is an
// effect of its own, which those after it depend on: for a single group, as a Gaussian process is, that costs more than it saves.
const (
	mostCorrelated = 12
	leastGroups    = 3
)

// A multiple is a value computed from a coordinate: out = scale q + ahead, perhaps plus other terms. It has a location and a scale if the
// coordinate has a standard density.
type multiple struct {
	of    int32
	scale autodiff.Ref
	ahead autodiff.Ref // what other coordinates add; node None: nothing
	out   autodiff.Ref
	row   int // of the triangular matrix, from 1; 0: there is none
}

// triangular records a product of a lower triangular matrix A and a matrix or vector Z of coordinates, A Z or Z' A'. Coordinate i
// of a group is multiplied by A[i, i], and what the coordinates before it add is its location: the conditional normal
// distribution of effect i given those before. A matrix counts as triangular if it is at the point of the recording:
// the change of variables is exact whether it is or not.
func (f *Finder) triangular(args []*eval.Value, out autodiff.Node) {
	for side, a := range args {
		z := args[1-side]
		if len(a.Dims) != 2 || a.Dims[0] != a.Dims[1] || a.Dims[0] > mostCorrelated || !a.Active() || !z.Active() {
			continue
		}
		l := layout{n: a.Dims[0], groups: len(z.X) / a.Dims[0], right: side == 1}
		if l.lower(a.X) {
			f.correlated(l, a, z, out)
		}
	}
}

// A layout describes the operands of a product: A is n x n and on the left of Z, which is n x groups, or its
// transpose on the right of Z'.
type layout struct {
	n, groups int
	right     bool
}

// matrix is the place of A[i, k].
func (l layout) matrix(i, k int) int {
	if l.right {
		return i*l.n + k
	}
	return k*l.n + i
}

// element is the place of effect i of a group in Z, and in the product.
func (l layout) element(i, group int) int {
	if l.right {
		return i*l.groups + group
	}
	return group*l.n + i
}

// lower reports whether a matrix has a diagonal without zeros, and zeros above it.
func (l layout) lower(a []float64) bool {
	for i := range l.n {
		if a[l.matrix(i, i)] == 0 {
			return false
		}
		for k := i + 1; k < l.n; k++ {
			if a[l.matrix(i, k)] != 0 {
				return false
			}
		}
	}
	return true
}

// correlated records a product with a triangular matrix.
func (f *Finder) correlated(l layout, a, z *eval.Value, out autodiff.Node) {
	g := f.Graph
	rows := make([]autodiff.Node, l.n) // of Z
	for i := range rows {
		refs := make([]autodiff.Ref, l.groups)
		for j := range refs {
			refs[j] = f.number(z, l.element(i, j))
		}
		rows[i] = g.Gather(refs)
	}
	entry := func(i, k int) autodiff.Node {
		r := f.number(a, l.matrix(i, k))
		return g.Elem(r.Node, int(r.Elem))
	}
	for i := range l.n {
		if !g.Active(entry(i, i)) {
			continue
		}
		scale := g.Map(autodiff.Sqrt, 1, g.Map(autodiff.Square, 1, entry(i, i)))
		ahead := autodiff.None
		for k := range i {
			ahead = f.plus(ahead, g.Map(autodiff.Mul, l.groups, entry(i, k), rows[k]))
		}
		for j := range l.groups {
			if c, ok := f.coordinate(z, l.element(i, j)); ok {
				m := multiple{of: c, scale: autodiff.Ref{Node: scale}, ahead: autodiff.Ref{Node: ahead}, out: g.Source(out, l.element(i, j)), row: i + 1}
				if ahead != autodiff.None {
					m.ahead = g.Source(ahead, j)
				}
				f.multiples = append(f.multiples, m)
			}
		}
	}
}

// scaled records a product with a diagonal matrix; which is the entry of the diagonal that number i is multiplied by.
func (f *Finder) scaled(diagonal, z *eval.Value, out autodiff.Node, which func(i, rows int) int) {
	for i := range z.X {
		scale := f.number(diagonal, which(i, z.Dims[0]))
		if c, ok := f.coordinate(z, i); ok && f.Graph.Active(scale.Node) && f.Graph.NonNegative(scale.Node) {
			f.multiples = append(f.multiples, multiple{of: c, scale: scale, ahead: autodiff.Ref{Node: autodiff.None}, out: f.Graph.Source(out, i)})
		}
	}
}

// plus adds vectors of one length, of which the first may be none.
func (f *Finder) plus(x, y autodiff.Node) autodiff.Node {
	if x == autodiff.None {
		return y
	}
	return f.Graph.Map(autodiff.Add, f.Graph.Len(y), x, y)
}

// products finds what coordinates with a standard density are multiplied by, and what is added to that.
// Coordinates that are multiplied by several numbers have no scale; those to whose multiples
// several are added have what stands in the product alone as their location.
func (f *Finder) products() {
	g := f.Graph
	f.pairs(autodiff.Mul, func(out, q, by autodiff.Ref) {
		if q.Node == g.Input() && g.Active(by.Node) && g.NonNegative(by.Node) {
			f.multiples = append(f.multiples, multiple{of: q.Elem, scale: by, ahead: autodiff.Ref{Node: autodiff.None}, out: out})
		}
	})
	found, several := map[int32]multiple{}, map[int32]bool{}
	made := map[autodiff.Ref]int32{} // coordinates by their multiples
	for _, m := range f.multiples {
		if _, ok := f.standard[m.of]; !ok {
			continue
		}
		old, known := found[m.of]
		several[m.of] = several[m.of] || known && old.scale != m.scale
		found[m.of], made[m.out] = m, m.of
	}
	located := f.added(made)
	for c, m := range found {
		if several[c] {
			delete(f.places, c)
			continue
		}
		p := place{group: group{at: f.standard[c], row: m.row}, location: located[c], scale: m.scale, ahead: m.ahead}
		if p.location.Node == autodiff.None {
			p.location = autodiff.Ref{Node: g.Scalar(0)}
		}
		f.places[c] = p
	}
}

// added are the numbers that are added to multiples, by coordinate; node None where there are none or several.
func (f *Finder) added(made map[autodiff.Ref]int32) map[int32]autodiff.Ref {
	out := map[int32]autodiff.Ref{}
	for _, c := range made {
		out[c] = autodiff.Ref{Node: autodiff.None}
	}
	several := map[int32]bool{}
	f.pairs(autodiff.Add, func(_, x, by autodiff.Ref) {
		if c, ok := made[x]; ok {
			old := out[c]
			several[c] = several[c] || old.Node != autodiff.None && old != by
			out[c] = by
		}
	})
	for c := range several {
		if several[c] {
			out[c] = autodiff.Ref{Node: autodiff.None}
		}
	}
	return out
}

// pairs visits the elements of an operation on two numbers in either order.
func (f *Finder) pairs(op *autodiff.Op, visit func(out, x, y autodiff.Ref)) {
	g := f.Graph
	element := func(x autodiff.Node, i int) autodiff.Ref {
		if g.Len(x) == 1 {
			i = 0
		}
		return g.Source(x, i)
	}
	for n := range autodiff.Node(g.Size()) {
		in := g.Operands(n, op)
		if in == nil || g.Local(n) {
			continue
		}
		for i := range g.Len(n) {
			out, a, b := autodiff.Ref{Node: n, Elem: int32(i)}, element(in[0], i), element(in[1], i)
			visit(out, a, b)
			visit(out, b, a)
		}
	}
}
