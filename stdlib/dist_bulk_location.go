// This file holds the tight loops of the Student t and Cauchy log densities.

package stdlib

import (
	"math"

	"github.com/seed-12b88e03/ppl/autodiff/vec"
)

// studentBulk does a common nu of moderate size; the density is a product of powers
// of 1 + z*z/nu, whose logarithms are taken of products.
func studentBulk(n int, in []Tensor, adj float64, din [][]float64) (float64, bool) {
	nu := in[1].X[0]
	if len(in[1].Dims) > 0 || n < 2 || nu > 1e4 || nu < 1e-2 {
		return 0, false
	}
	var c [4]float64
	x := [2]float64{0, nu}
	studentPrep(x[:], c[:], true)
	s, ok := powerSums(n, 1/nu, (nu+1)/nu, in[0], in[2], in[3], adj,
		gradientOf(din, in, 0), gradientOf(din, in, 2), gradientOf(din, in, 3))
	if !ok {
		return 0, false
	}
	gradientOf(din, in, 1).add(0, adj*(float64(n)*c[1]-0.5*s.log1+0.5*(1+1/nu)*s.ratio))
	return float64(n)*c[0] - s.logScale - 0.5*(nu+1)*s.log1, true
}

// cauchyBulk is the same with nu = 1.
func cauchyBulk(n int, in []Tensor, adj float64, din [][]float64) (float64, bool) {
	if n < 2 {
		return 0, false
	}
	s, ok := powerSums(n, 1, 2, in[0], in[1], in[2], adj,
		gradientOf(din, in, 0), gradientOf(din, in, 1), gradientOf(din, in, 2))
	if !ok {
		return 0, false
	}
	return -float64(n)*math.Log(math.Pi) - s.logScale - s.log1, true
}

// powerSum is what one pass over a location-scale family of powers of 1 + z*z/nu gives.
type powerSum struct {
	log1     float64 // sum of log(1 + w), w = z*z/nu
	ratio    float64 // sum of w / (1 + w)
	logScale float64 // sum of log sigma
}

// powerSums passes over the variates; power is twice the exponent over nu. It does
// nothing where some variate is so far out that its square might overflow.
func powerSums(n int, invNu, power float64, yt, mut, sigmat Tensor, adj float64, dy, dmu, dsigma gradient) (s powerSum, ok bool) {
	y, mu, sigma := columnOf(yt), columnOf(mut), columnOf(sigmat)
	if !near(y, mu, sigma) {
		return s, false
	}
	var z, slope, inverse [piece]float64
	for lo := 0; lo < n; lo += piece {
		hi := min(lo+piece, n)
		z, slope := z[:hi-lo], slope[:hi-lo]
		inv := inverses(sigma.part(lo, hi), inverse[:])
		standardise(z, y.part(lo, hi), mu.part(lo, hi), inv)
		log1, ratio := vec.PowerTerms(slope, z, invNu, power)
		s.log1 += log1
		s.ratio += ratio
		dsigma.addScaleSlope(lo, adj, z, slope, inv)
		times(slope, slope, inv)
		dy.addScaled(lo, -adj, slope)
		dmu.addScaled(lo, adj, slope)
	}
	s.logScale = sumLogs(n, sigma)
	return s, true
}

// near says whether all standardised variates are certainly below 1e150.
func near(y, mu, sigma column) bool {
	return vec.Within(y.x, -1e50, 1e50) && vec.Within(mu.x, -1e50, 1e50) && vec.Within(sigma.x, 1e-99, maxFinite)
}

// inverses gives 1/sigma, in buf.
func inverses(sigma column, buf []float64) column {
	inv := column{buf[:len(sigma.x)], sigma.step}
	vec.Inv.Map(inv.x, sigma.x)
	return inv
}

// sumLogs is the sum of the logarithms of n elements.
func sumLogs(n int, x column) float64 {
	if x.vector() {
		return vec.SumLog(x.x)
	}
	return float64(n) * math.Log(x.x[0])
}

// addScaleSlope adds the derivative in the scale, adj * inv * (slope * z - 1), slope being
// minus that of the log density in z.
func (g gradient) addScaleSlope(lo int, adj float64, z, slope []float64, inv column) {
	switch {
	case g.d == nil:
	case g.step == 0:
		g.d[0] += adj * inv.x[0] * (vec.Dot(slope, z) - float64(len(z)))
	default:
		var buf [piece]float64
		t, one := buf[:len(z)], []float64{1}
		vec.MulVV.Map(t, slope, z)
		vec.SubVS.Map(t, t, one)
		vec.MulVV.Map(t, t, inv.x)
		vec.AddScaled(g.d[lo:lo+len(t)], adj, t)
	}
}
