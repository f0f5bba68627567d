// This file holds the tight loops of the normal log density.

package stdlib

import "math"

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
	if dv == nil {
		var s0, s1, q0, q1 float64
		i := 0
		for ; i+2 <= len(v); i += 2 {
			a, b := (v[i]-center)*inv, (v[i+1]-center)*inv
			s0, s1 = s0+a, s1+b
			q0, q1 = q0+a*a, q1+b*b
		}
		if i < len(v) {
			a := (v[i] - center) * inv
			s0, q0 = s0+a, q0+a*a
		}
		return s0 + s1, q0 + q1
	}
	g := adj * inv
	dv = dv[:len(v)]
	for i, e := range v {
		z := (e - center) * inv
		s += z
		s2 += z * z
		dv[i] -= g * z
	}
	return s, s2
}

// normalResiduals is the sum of squares of normalDeviations with a center for each
// element.
func normalResiduals(y, mu []float64, inv, adj float64, dy, dmu []float64) (s2 float64) {
	mu = mu[:len(y)]
	g := adj * inv
	switch {
	case dy == nil && dmu == nil:
		for i, e := range y {
			z := (e - mu[i]) * inv
			s2 += z * z
		}
	case dy == nil:
		dmu = dmu[:len(y)]
		for i, e := range y {
			z := (e - mu[i]) * inv
			s2 += z * z
			dmu[i] += g * z
		}
	case dmu == nil:
		dy = dy[:len(y)]
		for i, e := range y {
			z := (e - mu[i]) * inv
			s2 += z * z
			dy[i] -= g * z
		}
	default:
		dy, dmu = dy[:len(y)], dmu[:len(y)]
		for i, e := range y {
			z := (e - mu[i]) * inv
			s2 += z * z
			dy[i] -= g * z
			dmu[i] += g * z
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
	y, mu, sigma := columnOf(in[0]), columnOf(in[1]), in[2].X[:n]
	dy, dmu, dsigma := gradientOf(din, in, 0), gradientOf(din, in, 1), gradientOf(din, in, 2)
	scales, s2, gSum := newLogProduct(), 0.0, 0.0
	for i, s := range sigma {
		inv := 1 / s
		z := (y.at(i) - mu.at(i)) * inv
		g := z * inv
		scales.times(s)
		s2 += z * z
		if dsigma.d != nil {
			dsigma.d[i] += adj * (g*z - inv)
		}
		if dy.step > 0 {
			dy.d[i] -= adj * g
		}
		if dmu.step > 0 {
			dmu.d[i] += adj * g
		}
		gSum += g
	}
	if dy.step == 0 {
		dy.add(0, -adj*gSum)
	}
	if dmu.step == 0 {
		dmu.add(0, adj*gSum)
	}
	return -0.5*s2 - scales.log() - float64(n)*halfLogTwoPi
}
