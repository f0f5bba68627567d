// This file holds the tight loops of the normal log density.

package univariate

import (
	"github.com/seed-12b88e03/ppl/autodiff/vec"
	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
)

// normalBulk does the normal log density; a common scale has a kernel of its own.
func normalBulk(n int, in []catalogue.Tensor, adj float64, din [][]float64) (float64, bool) {
	if len(in[2].Dims) > 0 {
		return normalScales(n, in, adj, din)
	}
	sigma := in[2].X[0]
	inv := 1 / sigma
	args := [2]vec.Arg{termArg(in, din, 0), termArg(in, din, 1)}
	t := vec.NormalTerm.Run(n, args[:], inv, adj*inv)
	addSingles(in, din, t.D[:2])
	gradientOf(din, in, 2).add(0, adj*inv*(t.Sum[0]-float64(n)))
	return float64(-0.5*t.Sum[0]) - float64(float64(n)*(vec.Log.At(sigma)+HalfLogTwoPi)), true
}

// normalScales does a scale for each element.
func normalScales(n int, in []catalogue.Tensor, adj float64, din [][]float64) (float64, bool) {
	if !vec.Within(in[2].X, catalogue.LeastNormal, catalogue.MaxFinite) {
		return 0, false
	}
	args := [3]vec.Arg{termArg(in, din, 0), termArg(in, din, 1), termArg(in, din, 2)}
	t := vec.NormalScaleTerm.Run(n, args[:], adj)
	addSingles(in, din, t.D[:3])
	return float64(-0.5*t.Sum[0]) - t.Sum[1] - float64(float64(n)*HalfLogTwoPi), true
}

func stdNormalBulk(n int, in []catalogue.Tensor, adj float64, din [][]float64) (float64, bool) {
	zero := [1]float64{}
	args := [2]vec.Arg{termArg(in, din, 0), {X: zero[:]}}
	t := vec.NormalTerm.Run(n, args[:], 1, adj)
	addSingles(in, din, t.D[:1])
	return float64(-0.5*t.Sum[0]) - float64(float64(n)*HalfLogTwoPi), true
}
