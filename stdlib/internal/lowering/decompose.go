// Parts of decompositions: all calls on the same matrix share one.

package lowering

import (
	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/stdlib/internal/matrixfn"
)

// A decomposition is the decomposition of matrices of one size. NaN shows a matrix that is refused.
type decomposition struct {
	*matrixfn.Decomposition
	rows, cols int
}

// String names the function for dumps.
func (d decomposition) String() string { return "decomposition for " + d.Parts[0] }

// Fused reports that there is no fused form.
func (d decomposition) Fused([]bool) (autodiff.Opaque, bool) { return nil, false }

// Instance makes the scratch memory of one machine.
func (d decomposition) Instance() autodiff.Instance {
	return newMatrixInstance(d.Whole(), d.rows, d.cols, true)
}

// expandPart is a part of a decomposition.
func expandPart(of *matrixfn.Decomposition, part int) Expander {
	return func(g *autodiff.Graph, _ int, in []Operand) (autodiff.Node, bool) {
		m, n := in[0].Dims[0], in[0].Dims[1]
		if !in[0].Active || min(m, n) == 0 {
			return autodiff.None, false
		}
		off, size := of.Place(part, m, n)
		return g.View(g.SharedOpaque(decomposition{of, m, n}, decomposition{of, m, n}, of.Outputs(m, n), in[0].Node), off, size), true
	}
}
