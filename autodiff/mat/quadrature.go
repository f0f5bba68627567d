package mat

// This file has the points of Gaussian quadrature.

import "math"

// GaussLegendre returns the n points and weights by which integrals over [-1, 1] of polynomials of
// degrees below 2n are exact.
func GaussLegendre(n int) (points, weights []float64) {
	return gauss(n, 2, func(k float64) float64 { return k / math.Sqrt(float64(4*k*k)-1) })
}

// GaussHermite returns the n points and weights by which expectations over the standard normal
// distribution of polynomials of degrees below 2n are exact.
func GaussHermite(n int) (points, weights []float64) { return gauss(n, 1, math.Sqrt) }

// gauss returns points and weights for an even weight function whose integral is total and whose
// orthonormal polynomials have b(k+1) p[k+1](x) = x p[k](x) - b(k) p[k-1](x): the points are
// eigenvalues (Golub and Welsch 1969), and the weights total over the sums of squares of the polynomials.
func gauss(n int, total float64, b func(float64) float64) (points, weights []float64) {
	jacobi := NewSymDense(n, nil)
	for k := 1; k < n; k++ {
		jacobi.SetSym(k-1, k, b(float64(k)))
	}
	var eigen EigenSym
	eigen.Factorize(jacobi, false)
	x := eigen.Values()
	points, weights = make([]float64, n), make([]float64, n)
	for i := range x {
		points[i] = (x[i] - x[n-1-i]) / 2 // symmetric to the bit
		sum, before, now := 1.0, 0.0, 1.0
		for k := 1; k < n; k++ {
			next := float64(points[i] * now)
			if k > 1 {
				next -= float64(b(float64(k-1)) * before)
			}
			before, now = now, next/b(float64(k))
			sum += float64(now * now)
		}
		weights[i] = total / sum
	}
	return points, weights
}
