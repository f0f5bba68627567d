// The engine's passes: rewritings of a whole graph, in the order in which they are made.

package opt

import (
	"slices"

	"github.com/seed-12b88e03/ppl/autodiff/internal/codegen"
	"github.com/seed-12b88e03/ppl/autodiff/internal/graph"
)

// A pass returns an equal graph, and for each node that the roots are made of the node that replaces it.
// The graph is g itself where there is nothing to do.
type pass func(g *graph.Graph, roots []graph.Node) (h *graph.Graph, to func(graph.Node) graph.Node)

// The lists of passes. Graphs after the passes before code generation cannot be differentiated.
//
// Algebra, constant folding and sharing are no passes: a graph's constructors do them.
var (
	beforeGradient = []pass{
		GemvFromDots, // first: SLP vectorisation would take the products apart
		VectorizeSLP,
	}
	beforeCode = []pass{
		FuseLoops,
	}
)

// Vectorize makes the passes that come before derivatives: it returns an equal graph in which single
// operations have become operations on vectors, and the nodes in place of the roots.
func Vectorize(g *graph.Graph, roots []graph.Node) (*graph.Graph, []graph.Node) {
	return runPasses(g, beforeGradient, roots)
}

// Compile makes the program that computes the roots, after the passes before code generation. Checks and
// Guards are run if they are among effects; they have no value.
func Compile(g *graph.Graph, roots, effects []graph.Node) *codegen.Program {
	effects = g.WithLimits(roots, effects)
	h, nodes := runPasses(g, beforeCode, slices.Concat(roots, effects))
	n := len(roots)
	return codegen.Compile(h, nodes[:n:n], nodes[n:])
}

// runPasses makes the passes of a list, one after the other.
func runPasses(g *graph.Graph, list []pass, roots []graph.Node) (*graph.Graph, []graph.Node) {
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
