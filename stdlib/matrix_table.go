// The list of matrix and container rows, and what their kernels share.

package stdlib

// matrixFunctions returns the rows on containers and matrices.
func matrixFunctions() []*Function {
	var all []*Function
	for _, table := range [][]*Function{
		containerFunctions(), operatorFunctions(), productFunctions(), diagonalFunctions(),
		solveFunctions(), divideFunctions(), gpFunctions(),
		eigenFunctions(), qrFunctions(), exponentialFunctions(), sparseFunctions(),
		transformFunctions(), complexMatrixFunctions(), schurFunctions(), complexDecompositions(),
	} {
		all = append(all, table...)
	}
	return all
}
