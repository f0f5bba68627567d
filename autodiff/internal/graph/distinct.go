// Operations on vectors that repeat few numbers: done once for each of these, which are repeated after it.

package graph

// fewRepeated is the least length of a vector of which it is asked whether its numbers repeat.
const fewRepeated = 32

// repeats recognises a gather in which, on average, each number occurs twice at least: of is which of the distinct numbers
// each element is.
func (g *Graph) repeats(x Node) (distinct []Ref, of []int32, ok bool) {
	n := g.At(x)
	if n.Kind != KindGather || n.N < fewRepeated || !g.Does(optDistinct) {
		return nil, nil, false
	}
	const probed = 1024
	known := map[Ref]int32{}
	of = make([]int32, n.N)
	for i, r := range n.Refs {
		k, ok := known[r]
		if !ok {
			k = int32(len(distinct))
			known[r] = k
			distinct = append(distinct, Ref{Node: n.In()[r.Node], Elem: r.Elem})
		}
		of[i] = k
		if i == probed && 2*len(distinct) > probed {
			return nil, nil, false
		}
	}
	return distinct, of, 2*len(distinct) <= len(of)
}

// mapDistinct applies an operation to the distinct elements of a gather and gathers the results; other arguments are single
// numbers. What is cheaper than a gather is left alone.
func (g *Graph) mapDistinct(op *Op, n int, in []Node) (Node, bool) {
	switch op.Code {
	case CodeAdd, CodeSub, CodeMul, CodeNeg, CodeSquare, CodeShift:
		return None, false
	}
	at := -1
	for k, x := range in {
		if g.At(x).N == 1 {
			continue
		}
		if at >= 0 {
			return None, false
		}
		at = k
	}
	if at < 0 {
		return None, false
	}
	distinct, of, ok := g.repeats(in[at])
	if !ok {
		return None, false
	}
	args := append([]Node(nil), in...)
	args[at] = g.Gather(distinct)
	each := g.Map(op, len(distinct), args...)
	refs := make([]Ref, n)
	for i, k := range of {
		refs[i] = Ref{Node: each, Elem: k}
	}
	return g.Gather(refs), true
}

// sumDistinct is the sum of a gather by how often each number occurs.
func (g *Graph) sumDistinct(x Node) (Node, bool) {
	distinct, of, ok := g.repeats(x)
	if !ok {
		return None, false
	}
	counts := make([]float64, len(distinct))
	for _, k := range of {
		counts[k]++
	}
	return g.Dot(g.Const(counts), g.Gather(distinct)), true
}
