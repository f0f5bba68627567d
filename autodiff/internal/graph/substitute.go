// Making a graph again with something else in place of its input.

package graph

// Like makes an empty graph with an input of another length and the same optimisations switched off.
func (g *Graph) Like(dim int) *Graph {
	h := NewGraph(dim)
	h.Off = g.Off
	return h
}

// A Substitution makes nodes of one graph again in another one, with a node there in place of the input.
// The graph must not have runtime constants.
type Substitution struct {
	from, to *Graph
	made     []Node // in place of each node; None until it is made
}

// NewSubstitution begins a substitution of input, a node of the graph to, for the input of the
// graph from, which is as long. It knows the nodes that there are now.
func NewSubstitution(from, to *Graph, input Node) *Substitution {
	s := &Substitution{from: from, to: to, made: make([]Node, from.Size())}
	for i := range s.made {
		s.made[i] = None
	}
	s.made[from.InputNode] = input
	return s
}

// Node returns what stands for a node.
func (s *Substitution) Node(x Node) Node {
	r := Rebuilder{Made: func(x Node) bool { return s.made[x] != None }, Needs: s.needs, Finish: s.finish}
	r.Make(x)
	return s.made[x]
}

// Nodes returns what stands for each of some nodes.
func (s *Substitution) Nodes(xs []Node) []Node {
	out := make([]Node, len(xs))
	for i, x := range xs {
		out[i] = s.Node(x)
	}
	return out
}

func (s *Substitution) needs(x Node, visit func(Node)) {
	for _, y := range s.from.At(x).In() {
		visit(y)
	}
}

func (s *Substitution) finish(x Node) {
	n := s.from.At(x)
	if n.Kind == KindConst {
		s.made[x] = s.to.Const(n.Data)
		return
	}
	in := make([]Node, len(n.In()))
	for i, y := range n.In() {
		in[i] = s.made[y]
	}
	if n.Kind == KindGather {
		refs := make([]Ref, len(n.Refs))
		for i, r := range n.Refs {
			refs[i] = Ref{in[r.Node], r.Elem}
		}
		s.made[x] = s.to.Gather(refs)
		return
	}
	s.made[x] = s.to.Remake(n, in)
}
