// This file holds the tight loops of the normal log density.

package stdlib

import (
	"math"

	"github.com/seed-12b88e03/ppl/autodiff/vec"
)

// normalBulk does the normal log density; a common scale has loops of its own.
func normalBulk(n int, in []Tensor, adj float64, din [][]float64) (float64, bool) {
	if len(in[2].Dims) > 0 {
		return normalScales(n, in, adj, din), true
	}
	sigma := in[2].X[0]
	inv := 1 / sigma
	var dy, dmu, dsigma []float64
	if len(din) > 0 {
		dy, dmu, dsigma = din[0], din[1], din[2]
	}
	var s, s2 float64 // sums of z and z*z
	switch y, mu := in[0].X, in[1].X; {
	case len(in[0].Dims) > 0 && len(in[1].Dims) > 0:
		s2 = normalResiduals(y, mu, inv, adj, dy, dmu)
	case len(in[0].Dims) > 0:
		s, s2 = normalDeviations(y, mu[0], inv, adj, dy)
		if dmu != nil {
			dmu[0] += adj * inv * s
		}
	default:
		// The density is symmetric in y and mu.
		s, s2 = normalDeviations(mu, y[0], inv, adj, dmu)
		if dy != nil {
			dy[0] += adj * inv * s
		}
	}
	if dsigma != nil {
		dsigma[0] += adj * inv * (s2 - float64(n))
	}
	return -0.5*s2 - float64(n)*(math.Log(sigma)+halfLogTwoPi), true
}

// normalDeviations sums z = (v - center) * inv and its square over v, with the
// gradient of -z*z/2 added to dv.
func normalDeviations(v []float64, center, inv, adj float64, dv []float64) (s, s2 float64) {
	var buf [piece]float64
	for lo := 0; lo < len(v); lo += piece {
		hi := min(lo+piece, len(v))
		z := buf[:hi-lo]
		vec.SubVS.Map(z, v[lo:hi], []float64{center})
		vec.MulVS.Map(z, z, []float64{inv})
		s += vec.Sum(z)
		s2 += vec.Dot(z, z)
		if dv != nil {
			vec.AddScaled(dv[lo:hi], -adj*inv, z)
		}
	}
	return s, s2
}

// normalResiduals is the sum of squares of normalDeviations with a center for each
// element.
func normalResiduals(y, mu []float64, inv, adj float64, dy, dmu []float64) (s2 float64) {
	var buf [piece]float64
	for lo := 0; lo < len(y); lo += piece {
		hi := min(lo+piece, len(y))
		z := buf[:hi-lo]
		vec.SubVV.Map(z, y[lo:hi], mu[lo:hi])
		vec.MulVS.Map(z, z, []float64{inv})
		s2 += vec.Dot(z, z)
		if dy != nil {
			vec.AddScaled(dy[lo:hi], -adj*inv, z)
		}
		if dmu != nil {
			vec.AddScaled(dmu[lo:hi], adj*inv, z)
		}
	}
	return s2
}

func stdNormalBulk(n int, in []Tensor, adj float64, din [][]float64) (float64, bool) {
	var dy []float64
	if len(din) > 0 {
		dy = din[0]
	}
	_, s2 := normalDeviations(in[0].X, 0, 1, adj, dy)
	return -0.5*s2 - float64(n)*halfLogTwoPi, true
}

// normalScales does a scale for each element.
func normalScales(n int, in []Tensor, adj float64, din [][]float64) float64 {
	y, mu, sigma := columnOf(in[0]), columnOf(in[1]), columnOf(in[2])
	dy, dmu, dsigma := gradientOf(din, in, 0), gradientOf(din, in, 1), gradientOf(din, in, 2)
	var z, inverse [piece]float64
	s2 := 0.0
	for lo := 0; lo < n; lo += piece {
		hi := min(lo+piece, n)
		z := z[:hi-lo]
		inv := inverses(sigma.part(lo, hi), inverse[:])
		standardise(z, y.part(lo, hi), mu.part(lo, hi), inv)
		s2 += vec.Dot(z, z)
		dsigma.addScaleSlope(lo, adj, z, z, inv)
		times(z, z, inv)
		dy.addScaled(lo, -adj, z)
		dmu.addScaled(lo, adj, z)
	}
	return -0.5*s2 - sumLogs(n, sigma) - float64(n)*halfLogTwoPi
}
