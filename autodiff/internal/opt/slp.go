// SLP vectorisation: isomorphic scalar operations become one operation on vectors.

package opt

import (
	"math"
	"slices"

	"github.com/seed-12b88e03/ppl/autodiff/internal/graph"
	"github.com/seed-12b88e03/ppl/autodiff/vec"
)

// minIsomorphic is the least number of scalar operations that are worth a vector. Up to
// shortVector numbers, machine code works on it within its blocks.
const minIsomorphic = 32

// VectorizeSLP returns an equal graph in which isomorphic scalar operations are operations on
// vectors, and the node of it that stands for one that the roots are made of. Loops that
// are unrolled, and sums over discrete parameters, leave such operations: one set for
// each row of the data. Where there are none it is g itself.
//
// Operations are alike if they do the same to operands that are alike, or the same
// (pack_classes.go). Which of them are packed is a matter of cost (pack_worth.go).
func VectorizeSLP(g *graph.Graph, roots []graph.Node) (*graph.Graph, func(graph.Node) graph.Node) {
	if g.Does(graph.OptSLP) {
		p := &slpVectorizer{g: g}
		p.need(roots)
		if p.classify() && p.choose() {
			p.build()
			return p.h, p.node
		}
	}
	return g, func(x graph.Node) graph.Node { return x }
}

// An slpVectorizer vectorises one graph.
type slpVectorizer struct {
	g, h   *graph.Graph
	needed []bool
	uses   []int32 // of each node, as operands of scalar operations
	class  []int32 // of scalar operations, from 1
	place  []int32 // of an operation among those of its class
	groups []*group
	to     []graph.Node // new nodes of the old ones that are not packed
}

// A group is a class whose members become a vector, in the order of their numbers.
type group struct {
	op      *graph.Op
	members []graph.Node
	vector  graph.Node // None until it is made
}

// need marks what the roots are made of, and runtime constants, which a program has whether or
// not it uses them. A sum goes over its numbers, not over a vector that they were put in.
func (p *slpVectorizer) need(roots []graph.Node) {
	p.needed = make([]bool, p.g.Size())
	stack := append([]graph.Node(nil), roots...)
	if p.g.RuntimeConsts != graph.None {
		stack = append(stack, p.g.RuntimeConsts)
	}
	for len(stack) > 0 {
		x := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if !p.needed[x] {
			p.needed[x] = true
			stack = append(stack, p.inputs(x)...)
		}
	}
}

// inputs are the nodes that x is made of.
func (p *slpVectorizer) inputs(x graph.Node) []graph.Node {
	if s := p.summed(x); s != nil {
		return s.In()
	}
	return p.g.At(x).In()
}

// summed returns the gather that a node is the sum of; nil for any other node.
func (p *slpVectorizer) summed(x graph.Node) *graph.NodeDef {
	if n := p.g.At(x); n.Kind == graph.KindSum {
		if s := p.g.At(n.Few[0]); s.Kind == graph.KindGather {
			return s
		}
	}
	return nil
}

// group is the group that a node is packed in; nil where it is in none.
func (p *slpVectorizer) group(x graph.Node) *group { return p.groups[p.class[x]] }

// build makes the new graph.
func (p *slpVectorizer) build() {
	p.h = graph.NewGraph(p.g.Dims)
	p.h.Off = p.g.Off
	p.to = make([]graph.Node, p.g.Size())
	for x := range p.to {
		p.to[x] = graph.None
	}
	r := graph.Rebuilder{Made: p.made, Needs: p.needs, Finish: p.finish}
	for x := range graph.Node(p.g.Size()) {
		if p.needed[x] {
			r.Make(x)
		}
	}
}

// made reports whether there is what stands for x. Constants are made when they are used.
func (p *slpVectorizer) made(x graph.Node) bool {
	if gr := p.group(x); gr != nil {
		return gr.vector != graph.None
	}
	return p.to[x] != graph.None || p.g.At(x).Kind == graph.KindConst
}

// needs names what must be made before x.
func (p *slpVectorizer) needs(x graph.Node, visit func(graph.Node)) {
	members := []graph.Node{x}
	if gr := p.group(x); gr != nil {
		members = gr.members
	}
	for _, m := range members {
		for _, y := range p.inputs(m) {
			visit(y)
		}
	}
}

// node is what stands for x.
func (p *slpVectorizer) node(x graph.Node) graph.Node {
	if gr := p.group(x); gr != nil {
		return p.h.Elem(gr.vector, int(p.place[x]))
	}
	if p.to[x] == graph.None {
		p.to[x] = p.h.Const(p.g.At(x).Data)
	}
	return p.to[x]
}

// ref is where the number of a scalar node is.
func (p *slpVectorizer) ref(x graph.Node) graph.Ref {
	gr := p.group(x)
	switch {
	case gr == nil:
		return graph.Ref{Node: p.node(x)}
	case p.h.Len(gr.vector) == 1:
		return graph.Ref{Node: gr.vector}
	}
	return graph.Ref{Node: gr.vector, Elem: p.place[x]}
}

// finish makes what stands for x, of what is made.
func (p *slpVectorizer) finish(x graph.Node) {
	n := p.g.At(x)
	switch s := p.summed(x); {
	case p.group(x) != nil:
		p.vectorize(p.group(x))
	case n.Kind == graph.KindInput:
		p.to[x] = p.h.InputNode
	case n.Kind == graph.KindRuntimeConst:
		p.to[x] = p.h.RuntimeConstants(n.Data)
	case s != nil:
		p.to[x] = p.sum(s)
	case n.Kind == graph.KindGather:
		refs := make([]graph.Ref, len(n.Refs))
		for i, r := range n.Refs {
			refs[i] = p.picked(n, r)
		}
		p.to[x] = p.h.Gather(refs)
	default:
		in := make([]graph.Node, len(n.In()))
		for k, y := range n.In() {
			in[k] = p.node(y)
		}
		p.to[x] = p.h.Remake(n, in)
	}
}

// picked is an element of a gather in the new graph.
func (p *slpVectorizer) picked(gather *graph.NodeDef, r graph.Ref) graph.Ref {
	y := gather.In()[r.Node]
	if p.group(y) != nil {
		return p.ref(y)
	}
	return graph.Ref{Node: p.node(y), Elem: r.Elem}
}

// vectorize makes the vector of a group. Where all operands are the same, as with equal
// operations that are not shared, it has one element.
func (p *slpVectorizer) vectorize(gr *group) {
	in, n := make([]graph.Node, gr.op.Arity()), 1
	for k := range in {
		in[k] = p.operand(gr, k)
		n = max(n, p.h.Len(in[k]))
	}
	gr.vector = p.h.Map(gr.op, n, in...)
}

// operand makes operand k of a group.
func (p *slpVectorizer) operand(gr *group, k int) graph.Node {
	first := p.g.At(gr.members[0]).Few[k]
	switch p.form(gr, k) {
	case same:
		return p.node(first)
	case constants:
		data := make([]float64, len(gr.members))
		for i, x := range gr.members {
			data[i] = p.g.At(p.g.At(x).Few[k]).Data[0]
		}
		return constant(p.h, data)
	case aligned:
		v := p.group(first).vector
		if p.h.Len(v) == 1 {
			return v
		}
		return p.h.View(v, int(p.place[first]), len(gr.members))
	}
	refs := make([]graph.Ref, len(gr.members))
	for i, x := range gr.members {
		refs[i] = p.ref(p.g.At(x).Few[k])
	}
	return p.h.Gather(refs)
}

// sum adds the elements of a gather: those of groups as vectors, each times how often it
// counts.
func (p *slpVectorizer) sum(gather *graph.NodeDef) graph.Node {
	counts := map[*group][]float64{}
	var groups []*group
	for _, r := range gather.Refs {
		y := gather.In()[r.Node]
		gr := p.group(y)
		if gr == nil {
			continue
		}
		if counts[gr] == nil {
			groups = append(groups, gr)
			counts[gr] = make([]float64, len(gr.members))
		}
		counts[gr][p.place[y]]++
	}
	total := p.h.Scalar(0)
	for _, gr := range groups {
		if slices.Min(counts[gr]) == 0 { // what does not count must not matter, even if it is infinite
			delete(counts, gr)
			continue
		}
		total = p.h.Map(graph.Add, 1, total, p.weighted(gr, counts[gr]))
	}
	var rest []graph.Ref
	for _, r := range gather.Refs {
		if counts[p.group(gather.In()[r.Node])] == nil {
			rest = append(rest, p.picked(gather, r))
		}
	}
	if len(rest) == 0 {
		return total
	}
	return p.h.Map(graph.Add, 1, total, p.h.Sum(p.h.Gather(rest)))
}

// weighted is the sum of a group's numbers times weights.
func (p *slpVectorizer) weighted(gr *group, weights []float64) graph.Node {
	if p.h.Len(gr.vector) == 1 {
		return p.h.Map(graph.Mul, 1, p.h.Scalar(vec.Sum(weights)), gr.vector)
	}
	return p.h.Dot(constant(p.h, weights), gr.vector)
}

// constant is a constant vector, or one number where all are the same to the bit: 0 and -0
// have different reciprocals.
func constant(g *graph.Graph, data []float64) graph.Node {
	for _, v := range data {
		if math.Float64bits(v) != math.Float64bits(data[0]) {
			return g.Const(data)
		}
	}
	return g.Scalar(data[0])
}
