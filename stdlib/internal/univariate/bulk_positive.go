// This file holds the tight loops of the log densities of positive variates and of
// chances. With common parameters gamma and beta need only the sums of the variates
// and of their logarithms.

package univariate

import (
	"math"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/autodiff/vec"
	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
	"github.com/seed-12b88e03/ppl/stdlib/special"
)

// gammaBulk does a common shape, below the size where the sums would cancel, and a
// common rate.
func gammaBulk(n int, in []catalogue.Tensor, adj float64, din [][]float64) (float64, bool) {
	a, b := in[1].X[0], in[2].X[0]
	if n < 2 {
		return 0, false
	}
	if len(in[1].Dims) > 0 {
		return gammaShapes(n, in, adj, din)
	}
	if len(in[0].Dims) == 0 || len(in[2].Dims) > 0 || a > largeShape {
		return gammaRates(n, in, adj, din)
	}
	sum, total := vec.Sum(in[0].X), vec.SumLog(in[0].X)
	if math.IsInf(total, 0) || math.IsNaN(total) || sum > catalogue.MaxFinite {
		return 0, false
	}
	if dy := gradientOf(din, in, 0); dy.d != nil {
		for i, y := range in[0].X {
			dy.d[i] += float64(adj * ((a-1)/y - b))
		}
	}
	m, logB := float64(n), libm.Log(b)
	if da := gradientOf(din, in, 1); da.d != nil {
		da.add(0, adj*(total+float64(m*(logB-special.Psi(a)))))
	}
	gradientOf(din, in, 2).add(0, adj*(m*a/b-sum))
	l, _ := libm.Lgamma(a)
	return float64((a-1)*total) - float64(b*sum) + float64(m*(float64(a*logB)-l)), true
}

// gammaRates does a common shape of moderate size.
func gammaRates(n int, in []catalogue.Tensor, adj float64, din [][]float64) (float64, bool) {
	a := in[1].X[0]
	if a < 1e-3 || a > 1e3 || !vec.Within(in[0].X, 1e-100, 1e100) || !vec.Within(in[2].X, 1e-100, 1e100) {
		return 0, false
	}
	args := [2]vec.Arg{termArg(in, din, 0), termArg(in, din, 2)}
	t := vec.GammaTerm.Run(n, args[:], a, 1/a, adj)
	addSingle(in, din, 0, t.D[0])
	addSingle(in, din, 2, t.D[1])
	m := float64(n)
	norm, slope := GammaConstant(a) // the sums are those relative to the mode
	gradientOf(din, in, 1).add(0, adj*(t.Sum[1]-float64(m*slope)))
	return float64(a*t.Sum[0]) - float64(m*norm) - t.Sum[2], true
}

// lognormalBulk does a common scale.
func lognormalBulk(n int, in []catalogue.Tensor, adj float64, din [][]float64) (float64, bool) {
	if n < 2 || len(in[2].Dims) > 0 || !vec.Within(in[0].X, catalogue.LeastNormal, catalogue.MaxFinite) {
		return 0, false
	}
	sigma, m := in[2].X[0], float64(n)
	inv := 1 / sigma
	args := [2]vec.Arg{termArg(in, din, 0), termArg(in, din, 1)}
	t := vec.LognormalTerm.Run(n, args[:], inv, adj, adj*inv)
	addSingles(in, din, t.D[:2])
	gradientOf(din, in, 2).add(0, adj*inv*(t.Sum[0]-m))
	return float64(-0.5*t.Sum[0]) - t.Sum[1] - float64(m*(vec.Log.At(sigma)+HalfLogTwoPi)), true
}

// weibullBulk does a common shape.
func weibullBulk(n int, in []catalogue.Tensor, adj float64, din [][]float64) (float64, bool) {
	if n < 2 || len(in[1].Dims) > 0 || !vec.Within(in[0].X, catalogue.LeastNormal, catalogue.MaxFinite) || !vec.Within(in[2].X, catalogue.LeastNormal, catalogue.MaxFinite) {
		return 0, false
	}
	a, m := in[1].X[0], float64(n)
	args := [2]vec.Arg{termArg(in, din, 0), termArg(in, din, 2)}
	t := vec.WeibullTerm.Run(n, args[:], a, adj)
	addSingle(in, din, 0, t.D[0])
	addSingle(in, din, 2, t.D[1])
	gradientOf(din, in, 1).add(0, adj*(m/a+t.Sum[1]))
	return float64(m*vec.Log.At(a)) + t.Sum[0], true
}

// exponentialRates does a rate for each element.
func exponentialRates(n int, in []catalogue.Tensor, adj float64, din [][]float64) (float64, bool) {
	if n < 2 || !vec.Within(in[1].X, catalogue.LeastNormal, catalogue.MaxFinite) {
		return 0, false
	}
	args := [2]vec.Arg{termArg(in, din, 0), termArg(in, din, 1)}
	t := vec.ExponentialTerm.Run(n, args[:], adj)
	addSingles(in, din, t.D[:2])
	return t.Sum[1] - t.Sum[0], true
}

// betaBulk does two common shapes.
func betaBulk(n int, in []catalogue.Tensor, adj float64, din [][]float64) (float64, bool) {
	a, b := in[1].X[0], in[2].X[0]
	if n < 2 || len(in[0].Dims) == 0 || len(in[1].Dims) > 0 || len(in[2].Dims) > 0 || max(a, b) > largeShape {
		return betaShapes(n, in, adj, din)
	}
	sum, sum1, rest := vec.SumLog(in[0].X), 0.0, [piece]float64{}
	for lo := 0; lo < n; lo += piece {
		part := rest[:min(piece, n-lo)]
		vec.SubSV.Map(part, []float64{1}, in[0].X[lo:lo+len(part)])
		sum1 += vec.SumLog(part)
	}
	if math.IsInf(sum+sum1, 0) || math.IsNaN(sum+sum1) {
		return 0, false
	}
	if dy := gradientOf(din, in, 0); dy.d != nil {
		for i, y := range in[0].X {
			dy.d[i] += float64(adj * ((a-1)/y - (b-1)/(1-y)))
		}
	}
	m := float64(n)
	var c [3]float64
	betaPrep(a, b, c[:], len(din) > 0)
	gradientOf(din, in, 1).add(0, adj*(sum-float64(m*c[1])))
	gradientOf(din, in, 2).add(0, adj*(sum1-float64(m*c[2])))
	return float64((a-1)*sum) + float64((b-1)*sum1) - float64(m*c[0]), true
}
