// This file holds the tight loops of the mass functions of counts.

package stdlib

import "math"

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

// bernoulliLogitBulk does log odds for each element. The logarithms of 1 + exp(-|z|),
// which lie between 1 and 2, are taken of products.
func bernoulliLogitBulk(n int, in []Tensor, adj float64, din [][]float64) (float64, bool) {
	if len(in[0].Dims) == 0 || len(in[1].Dims) == 0 || n < 2 {
		return 0, false
	}
	const factors = 900 // of at most 2 each: below the exponent range of a float64
	y, alpha := in[0].X[:n], in[1].X[:n]
	dz := gradientOf(din, in, 1).d
	sum := 0.0
	for i := 0; i < n; {
		product := 1.0
		for end := min(n, i+factors); i < end; i++ {
			sign := 2*y[i] - 1
			z := sign * alpha[i] // the log odds of what was seen
			a := math.Abs(z)
			e := math.Exp(-a)
			product *= 1 + e
			sum += 0.5 * (z - a)
			if dz != nil {
				dz[i] += adj * sign * selectNegative(z, 1, e) / (1 + e)
			}
		}
		sum -= math.Log(product)
	}
	return sum, true
}

// selectNegative is a where the sign bit of z is set, otherwise b, without a branch.
func selectNegative(z, a, b float64) float64 {
	mask := uint64(int64(math.Float64bits(z)) >> 63)
	return math.Float64frombits(math.Float64bits(a)&mask | math.Float64bits(b)&^mask)
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
