// Operations on vectors that repeat few numbers: done once for each of these, which are repeated after it.

package graph

import (
	"math"
	"slices"
)

// fewRepeated is the least length of a vector whose numbers are searched for repetitions.
const fewRepeated = 32

// A repetition says of a gather which of its distinct numbers each element is, and where each distinct number is first.
type repetition struct {
	of    []int32
	first []int32
}

// mostConstants is how long a vector of constants may be that is looked at for numbers that repeat: gathers of longer ones would
// take more memory than is worth it.
const mostConstants = 1 << 17

// repeatsConstants recognises a vector of constants in which, on average, each number occurs twice at least.
func (g *Graph) repeatsConstants(x Node) (r repetition, ok bool) {
	if r, known := g.repeated[x]; known {
		return r, r.first != nil
	}
	n := g.At(x)
	if n.Kind != KindConst || n.N < fewRepeated || n.N > mostConstants || !g.Does(optDistinct) {
		return r, false
	}
	// By bits: -0 is not 0.
	if r, ok = partition(int(n.N), func(i int) uint64 { return math.Float64bits(n.Data[i]) }); !ok {
		r = repetition{}
	}
	g.repeated[x] = r
	return r, ok
}

// repeats recognises a gather in which, on average, each number occurs twice at least.
func (g *Graph) repeats(x Node) (r repetition, ok bool) {
	if r, known := g.repeated[x]; known { // also constants, which repeatsConstants looked at
		return r, r.first != nil
	}
	n := g.At(x)
	if n.Kind != KindGather || n.N < fewRepeated || !g.Does(optDistinct) {
		return r, false
	}
	return partition(int(n.N), func(i int) Ref { return n.Refs[i] })
}

// partition groups n elements by equal keys; false where there are more than half as many keys as elements, or as
// the elements probed first.
func partition[K comparable](n int, key func(i int) K) (r repetition, ok bool) {
	const probed = 1024
	known := map[K]int32{}
	r.of = make([]int32, n)
	for i := range r.of {
		k, ok := known[key(i)]
		if !ok {
			k = int32(len(r.first))
			known[key(i)] = k
			r.first = append(r.first, int32(i))
		}
		r.of[i] = k
		if i == probed && 2*len(r.first) > probed {
			return r, false
		}
	}
	return r, 2*len(r.first) <= n
}

// with is the repetition of rows of two vectors.
func (r repetition) with(s repetition) (repetition, bool) {
	if &r.of[0] == &s.of[0] || slices.Equal(r.of, s.of) {
		return r, true
	}
	return partition(len(r.of), func(i int) [2]int32 { return [2]int32{r.of[i], s.of[i]} })
}

// mapDistinct applies an operation to the distinct rows of gathers, and of constants where it is more than arithmetic, and
// gathers the results; other arguments are single numbers.
func (g *Graph) mapDistinct(op *Op, n int, in []Node) (Node, bool) {
	var r repetition
	vectors := 0
	for _, x := range in {
		if g.At(x).N == 1 {
			continue
		}
		s, ok := g.repeats(x)
		if !ok && op.Code == 0 {
			s, ok = g.repeatsConstants(x)
		}
		if ok && vectors > 0 {
			s, ok = r.with(s)
		}
		if !ok {
			return None, false
		}
		r = s
		vectors++
	}
	if vectors == 0 {
		return None, false
	}
	args := slices.Clone(in)
	for k, x := range in {
		if g.At(x).N > 1 {
			args[k] = g.pick(x, r.first)
		}
	}
	each := g.Map(op, len(r.first), args...)
	refs := make([]Ref, n)
	for i, k := range r.of {
		refs[i] = Ref{Node: each, Elem: k}
	}
	out := g.Gather(refs)
	if g.At(out).Kind == KindGather {
		g.repeated[out] = r
	}
	return out, true
}

// pick gathers elements of a gather or of constants.
func (g *Graph) pick(x Node, at []int32) Node {
	n := g.At(x)
	if n.Kind == KindConst {
		return g.Const(reorder(n.Data, at))
	}
	refs := make([]Ref, len(at))
	for i, k := range at {
		r := n.Refs[k]
		refs[i] = Ref{Node: n.In()[r.Node], Elem: r.Elem}
	}
	return g.Gather(refs)
}

// sumDistinct is the sum of a gather by how often each number occurs.
func (g *Graph) sumDistinct(x Node) (Node, bool) {
	r, ok := g.repeats(x)
	if !ok {
		return None, false
	}
	counts := make([]float64, len(r.first))
	for _, k := range r.of {
		counts[k]++
	}
	return g.Dot(g.Const(counts), g.pick(x, r.first)), true
}

// reorder are the numbers at positions.
func reorder(x []float64, at []int32) []float64 {
	out := make([]float64, len(at))
	for i, k := range at {
		out[i] = x[k]
	}
	return out
}
