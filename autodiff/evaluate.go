// Nodes at a point, while a graph is made.

package autodiff

import (
	"github.com/seed-12b88e03/ppl/autodiff/internal/graph"
	"github.com/seed-12b88e03/ppl/autodiff/internal/opt"
)

// Evaluate computes nodes at the input. What they depend on is computed at each call.
func Evaluate(g *graph.Graph, input []float64, nodes []graph.Node) ([][]float64, error) {
	off := g.Off
	g.Off |= graph.OptNative // code for one run does not pay
	m := opt.Compile(g, nodes, nil).NewMachine()
	g.Off = off
	if err := m.Run(input); err != nil {
		return nil, err
	}
	out := make([][]float64, len(nodes))
	for i := range nodes {
		out[i] = m.Root(i)
	}
	return out, nil
}
