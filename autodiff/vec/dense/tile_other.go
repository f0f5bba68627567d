//go:build !amd64

// The tile and the small Cholesky factor on processors without assembly.

package dense

func tile(k int, a, b, c *float64, stride int) { tilePortable(k, a, b, c, stride) }

func choleskySmall(a *Matrix) bool { return choleskyBase(a) }
