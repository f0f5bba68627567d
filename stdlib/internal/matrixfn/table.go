// The list of matrix and container rows, and what their kernels share.

package matrixfn

import (
	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
	"github.com/seed-12b88e03/ppl/stdlib/internal/container"
)

// Functions returns the rows on containers and matrices.
func Functions() []*catalogue.Function {
	var all []*catalogue.Function
	for _, table := range [][]*catalogue.Function{
		container.ContainerFunctions(), operatorFunctions(), productFunctions(), diagonalFunctions(),
		solveFunctions(), divideFunctions(), gpFunctions(),
		eigenFunctions(), qrFunctions(), exponentialFunctions(), sparseFunctions(),
		transformFunctions(), complexMatrixFunctions(), schurFunctions(), complexDecompositions(),
	} {
		all = append(all, table...)
	}
	return all
}
