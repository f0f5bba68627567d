// This file holds the tight loops of the gamma and beta log densities with common
// shapes, which need only the sums of the variates and of their logarithms.

package stdlib

import (
	"math"

	"github.com/seed-12b88e03/ppl/autodiff/vec"
	"github.com/seed-12b88e03/ppl/stdlib/special"
)

// gammaBulk does a common shape, below the size where the sums would cancel, and a
// common rate.
func gammaBulk(n int, in []Tensor, adj float64, din [][]float64) (float64, bool) {
	a, b := in[1].X[0], in[2].X[0]
	if n < 2 || len(in[0].Dims) == 0 || len(in[1].Dims) > 0 || len(in[2].Dims) > 0 || a > largeShape {
		return 0, false
	}
	sum, total := vec.Sum(in[0].X), vec.SumLog(in[0].X)
	if math.IsInf(total, 0) || math.IsNaN(total) || sum > maxFinite {
		return 0, false
	}
	if dy := gradientOf(din, in, 0); dy.d != nil {
		for i, y := range in[0].X {
			dy.d[i] += adj * ((a-1)/y - b)
		}
	}
	m, logB := float64(n), math.Log(b)
	if da := gradientOf(din, in, 1); da.d != nil {
		da.add(0, adj*(total+m*(logB-special.Psi(a))))
	}
	gradientOf(din, in, 2).add(0, adj*(m*a/b-sum))
	l, _ := math.Lgamma(a)
	return (a-1)*total - b*sum + m*(a*logB-l), true
}

// betaBulk does two common shapes.
func betaBulk(n int, in []Tensor, adj float64, din [][]float64) (float64, bool) {
	a, b := in[1].X[0], in[2].X[0]
	if n < 2 || len(in[0].Dims) == 0 || len(in[1].Dims) > 0 || len(in[2].Dims) > 0 || max(a, b) > largeShape {
		return 0, false
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
			dy.d[i] += adj * ((a-1)/y - (b-1)/(1-y))
		}
	}
	m := float64(n)
	var c [3]float64
	betaPrep(a, b, c[:], len(din) > 0)
	gradientOf(din, in, 1).add(0, adj*(sum-m*c[1]))
	gradientOf(din, in, 2).add(0, adj*(sum1-m*c[2]))
	return (a-1)*sum + (b-1)*sum1 - m*c[0], true
}
