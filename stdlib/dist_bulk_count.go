// This file holds the tight loops of the mass functions of counts.

package stdlib

import (
	"math"

	"github.com/seed-12b88e03/ppl/autodiff/vec"
)

// bernoulliBulk does a common chance by counting.
func bernoulliBulk(n int, in []Tensor, adj float64, din [][]float64) (float64, bool) {
	if len(in[1].Dims) > 0 || n < 2 {
		return 0, false
	}
	ones := 0.0
	for _, y := range in[0].X {
		ones += y
	}
	zeros, p := float64(n)-ones, in[1].X[0]
	sum, g := 0.0, 0.0
	if ones > 0 {
		sum += ones * math.Log(p)
		g += ones / p
	}
	if zeros > 0 {
		sum += zeros * math.Log1p(-p)
		g -= zeros / (1 - p)
	}
	if !math.IsInf(sum, -1) {
		gradientOf(din, in, 1).add(0, adj*g)
	}
	return sum, true
}

// bernoulliLogitBulk does log odds for each element.
func bernoulliLogitBulk(n int, in []Tensor, adj float64, din [][]float64) (float64, bool) {
	if len(in[0].Dims) == 0 || len(in[1].Dims) == 0 || n < 2 {
		return 0, false
	}
	y, alpha := in[0].X[:n], in[1].X[:n]
	dz := gradientOf(din, in, 1).d
	var slope [1024]float64
	sum := 0.0
	for lo := 0; lo < n; lo += len(slope) {
		hi := min(lo+len(slope), n)
		sum += vec.BernoulliLogit(slope[:hi-lo], y[lo:hi], alpha[lo:hi])
		if dz != nil {
			vec.AddScaled(dz[lo:hi], adj, slope[:hi-lo])
		}
	}
	return sum, true
}

// poissonBulk does a common mean by summing the counts, if these are small.
func poissonBulk(n int, in []Tensor, adj float64, din [][]float64) (float64, bool) {
	lambda := in[1].X[0]
	if len(in[0].Dims) == 0 || len(in[1].Dims) > 0 || n < 2 || lambda == 0 || lambda > maxFinite {
		return 0, false
	}
	total, factorials := 0.0, 0.0
	for _, k := range in[0].X {
		if k > 255 {
			return 0, false
		}
		total += k
		factorials += logFactorial(k)
	}
	gradientOf(din, in, 1).add(0, adj*(total/lambda-float64(n)))
	return total*math.Log(lambda) - float64(n)*lambda - factorials, true
}

// poissonLogBulk does log means for each element and small counts.
func poissonLogBulk(n int, in []Tensor, adj float64, din [][]float64) (float64, bool) {
	if len(in[0].Dims) == 0 || len(in[1].Dims) == 0 || n < 2 {
		return 0, false
	}
	counts, alpha := in[0].X[:n], in[1].X[:n]
	for i, k := range counts {
		if k > 255 || !(math.Abs(alpha[i]) < 700) {
			return 0, false
		}
	}
	d := gradientOf(din, in, 1).d
	sum := 0.0
	for i, k := range counts {
		mean := math.Exp(alpha[i])
		sum += k*alpha[i] - mean - logFactorial(k)
		if d != nil {
			d[i] += adj * (k - mean)
		}
	}
	return sum, true
}
