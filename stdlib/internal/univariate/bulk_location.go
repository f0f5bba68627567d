// This file holds the tight loops of the log densities with a location and a scale.

package univariate

import (
	"math"

	"github.com/seed-12b88e03/ppl/autodiff/vec"
	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
)

const logPi = 1.1447298858494001741434273513531

// studentBulk does a common nu of moderate size; the density is a product of powers
// of 1 + z*z/nu, whose logarithms are taken of products.
func studentBulk(n int, in []catalogue.Tensor, adj float64, din [][]float64) (float64, bool) {
	nu := in[1].X[0]
	if len(in[1].Dims) > 0 || n < 2 || !(nu <= 1e4 && nu >= 1e-2) || !near(in[0], in[2], in[3]) {
		return 0, false
	}
	args := [3]vec.Arg{termArg(in, din, 0), termArg(in, din, 2), termArg(in, din, 3)}
	t := vec.StudentTerm.Run(n, args[:], nu, 1/nu, adj, adj*(nu+1))
	m, share, log1, logScale := float64(n), t.Sum[0], t.Sum[1], t.Sum[2]
	for i, j := range [3]int{0, 2, 3} {
		addSingle(in, din, j, t.D[i])
	}
	c, dc := StudentConstant(nu)
	gradientOf(din, in, 1).add(0, adj*(float64(m*dc)-float64(0.5*log1)+float64(0.5*(1+1/nu)*share)))
	return float64(m*c) - logScale - float64(0.5*(nu+1)*log1), true
}

// cauchyBulk is the same with nu = 1.
func cauchyBulk(n int, in []catalogue.Tensor, adj float64, din [][]float64) (float64, bool) {
	if n < 2 || !near(in[0], in[1], in[2]) {
		return 0, false
	}
	args := [3]vec.Arg{termArg(in, din, 0), termArg(in, din, 1), termArg(in, din, 2)}
	t := vec.StudentTerm.Run(n, args[:], 1, 1, adj, 2*adj)
	addSingles(in, din, t.D[:3])
	return float64(-float64(n)*logPi) - t.Sum[2] - t.Sum[1], true
}

// near reports whether variates, locations and scales are such that no square of a
// standardised variate leaves the range of numbers.
func near(y, mu, sigma catalogue.Tensor) bool {
	return vec.Within(sigma.X, 1e-90, 1e90) && vec.Within(y.X, -1e50, 1e50) && vec.Within(mu.X, -1e50, 1e50)
}

// logisticBulk does a common scale.
func logisticBulk(n int, in []catalogue.Tensor, adj float64, din [][]float64) (float64, bool) {
	t, ok := commonScale(n, in, adj, din, vec.LogisticTerm, 2)
	return -t.Sum[0] - 2*t.Sum[1] - float64(float64(n)*vec.Log.At(in[2].X[0])), ok
}

// doubleExponentialBulk does a common scale.
func doubleExponentialBulk(n int, in []catalogue.Tensor, adj float64, din [][]float64) (float64, bool) {
	t, ok := commonScale(n, in, adj, din, vec.DoubleExponentialTerm, 0)
	return -t.Sum[0] - float64(float64(n)*(vec.Log.At(in[2].X[0])+math.Ln2)), ok
}

// commonScale does a term of y and mu, given 1/sigma and that times adj. Its sum at moment
// is that of -z f'(z), f being the log density of a standardised variate z.
func commonScale(n int, in []catalogue.Tensor, adj float64, din [][]float64, f vec.Term, moment int) (t vec.Terms, ok bool) {
	if n < 2 || len(in[2].Dims) > 0 || !vec.Within(in[0].X, -catalogue.MaxFinite, catalogue.MaxFinite) {
		return t, false
	}
	inv := 1 / in[2].X[0]
	args := [2]vec.Arg{termArg(in, din, 0), termArg(in, din, 1)}
	t = f.Run(n, args[:], inv, adj*inv)
	addSingles(in, din, t.D[:2])
	gradientOf(din, in, 2).add(0, adj*inv*(t.Sum[moment]-float64(n)))
	return t, true
}
