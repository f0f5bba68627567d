// The choice of the small Cholesky factor on amd64.

package dense

//go:noescape
func choleskyAVX2(a *float64, n, stride int) bool

// choleskySmall is Cholesky of a matrix of at most base rows.
func choleskySmall(a *Matrix) bool {
	if assembly && a.Rows > short {
		return choleskyAVX2(&a.X[0], a.Rows, a.Right)
	}
	return choleskyBase(a)
}
