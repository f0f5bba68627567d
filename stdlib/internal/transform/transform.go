// Package transform has the constraint transforms: free numbers to constrained variables, and back.
package transform

// A Transform maps free (unconstrained) numbers to a constrained variable: the
// Constraint Transforms of the Stan Reference Manual. It handles one element of an
// array of constrained variables; the caller loops over arrays.
type Transform struct {
	Name string // "lower", "simplex", "cholesky_factor_corr", ... as in NAME_jacobian

	// Elementwise transforms (lower, upper, lower_upper, offset_multiplier) map each
	// number by itself; args then hold one number, or one for each element.
	Elementwise bool

	// Free is how many free numbers a variable of these sizes (vector: [n], matrix:
	// [rows, cols]) has; an error where the sizes make no sense.
	Free func(dims []int) (int, error)

	// Work is how many scratch numbers Constrain and VJP need; nil for none.
	Work func(dims []int) int

	// Constrain fills x and returns the log absolute Jacobian determinant. args are
	// the bounds (lower: [lb]; lower_upper: [lb, ub]; offset_multiplier: [offset,
	// multiplier]).
	Constrain func(dims []int, free []float64, args [][]float64, x, work []float64) (logJacobian float64, err error)

	// VJP adds the derivative of sum(adj*x) + adjLog*logJacobian to dfree and to the
	// non-nil dargs.
	VJP func(dims []int, free []float64, args [][]float64, x, adj []float64, adjLog float64, dfree []float64, dargs [][]float64, work []float64)

	// Unconstrain is the inverse; a *DomainError where x violates the constraint.
	Unconstrain func(dims []int, x []float64, args [][]float64, free []float64) error

	// Check reports whether x satisfies the constraint (tolerance 1e-8 for sums and
	// symmetry, as in Stan); the error text begins after the variable's name, such
	// as "[2] is -1, but must be greater than or equal to 0".
	Check func(dims []int, x []float64, args [][]float64) error
}

// CanReject reports whether Constrain may reject free numbers or bounds.
func (t *Transform) CanReject() bool {
	return t.Name == "lower_upper" || t.Name == "offset_multiplier" || t.Name == "unit_vector"
}
