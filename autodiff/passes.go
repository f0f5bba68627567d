// The engine's passes: rewritings of a whole graph, in the order in which they are made.

package autodiff

import "slices"

// A pass returns an equal graph, which is g itself where there is nothing to do, and the node of it that
// stands for one that the roots are made of.
type pass func(g *Graph, roots []Node) (h *Graph, to func(Node) Node)

// The lists of passes. Of what those before code generation make no derivatives can be taken.
//
// Algebra, constant folding and sharing are no passes: a graph's constructors do them.
var (
	beforeGradient = []pass{
		(*Graph).GemvFromDots, // first: SLP vectorisation would take the products apart
		(*Graph).VectorizeSLP,
	}
	beforeCode = []pass{
		(*Graph).fuseLoops,
	}
)

// Vectorize makes the passes that come before derivatives: it returns an equal graph in which single
// operations have become operations on vectors, and the nodes in place of the roots.
func (g *Graph) Vectorize(roots []Node) (*Graph, []Node) { return g.runPasses(beforeGradient, roots) }

// Compile makes the program that computes the roots, after the passes before code generation. Checks and
// Guards are run if they are among effects; they have no value.
func (g *Graph) Compile(roots, effects []Node) *Program {
	h, nodes := g.runPasses(beforeCode, slices.Concat(roots, effects))
	n := len(roots)
	return h.compile(nodes[:n:n], nodes[n:])
}

// runPasses makes the passes of a list, one after the other.
func (g *Graph) runPasses(list []pass, roots []Node) (*Graph, []Node) {
	nodes := slices.Clone(roots)
	for _, p := range list {
		h, to := p(g, nodes)
		g = h
		for i := range nodes {
			nodes[i] = to(nodes[i])
		}
	}
	return g, nodes
}
