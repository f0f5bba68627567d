// Nodes at a point, while a graph is made.

package autodiff

// Evaluate computes nodes at the input. What they depend on is computed at each call.
func (g *Graph) Evaluate(input []float64, nodes []Node) ([][]float64, error) {
	off := g.off
	g.off |= optNative // code for one run does not pay
	m := g.Compile(nodes, nil).NewMachine()
	g.off = off
	if err := m.Run(input); err != nil {
		return nil, err
	}
	out := make([][]float64, len(nodes))
	for i := range nodes {
		out[i] = m.Root(i)
	}
	return out, nil
}
