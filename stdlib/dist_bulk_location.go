// This file holds the tight loops of the Student t and Cauchy log densities.

package stdlib

import "math"

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
	s := powerSums(n, 1/nu, (nu+1)/nu, in[0], in[2], in[3], adj,
		gradientOf(din, in, 0), gradientOf(din, in, 2), gradientOf(din, in, 3))
	gradientOf(din, in, 1).add(0, adj*(float64(n)*c[1]-0.5*s.log1+0.5*(1+1/nu)*s.ratio))
	return float64(n)*c[0] - s.logScale - 0.5*(nu+1)*s.log1, true
}

// cauchyBulk is the same with nu = 1.
func cauchyBulk(n int, in []Tensor, adj float64, din [][]float64) (float64, bool) {
	if n < 2 {
		return 0, false
	}
	s := powerSums(n, 1, 2, in[0], in[1], in[2], adj,
		gradientOf(din, in, 0), gradientOf(din, in, 1), gradientOf(din, in, 2))
	return -float64(n)*math.Log(math.Pi) - s.logScale - s.log1, true
}

// powerSum is what one pass over a location-scale family of powers of 1 + z*z/nu gives.
type powerSum struct {
	log1     float64 // sum of log(1 + w), w = z*z/nu
	ratio    float64 // sum of w / (1 + w)
	logScale float64 // sum of log sigma
}

// powerSums passes over the variates; power is twice the exponent over nu.
func powerSums(n int, invNu, power float64, yt, mut, sigmat Tensor, adj float64, dy, dmu, dsigma gradient) (s powerSum) {
	y, mu, sigma := columnOf(yt), columnOf(mut), columnOf(sigmat)
	logs, scales := newLogProduct(), newLogProduct()
	inv := 1 / sigma.x[0]
	var gMu, gSigma float64
	for i := range n {
		if sigma.step > 0 {
			inv = 1 / sigma.x[i]
			scales.times(sigma.x[i])
		}
		z := (y.at(i) - mu.at(i)) * inv
		w := z * z * invNu
		one := 1 + w
		share := 1 / one
		logs.times(one)
		s.ratio += w * share
		g := power * z * share // minus the derivative in z
		if w > 1e200 {
			s.ratio += 1 - w*share
			g = power / (z * invNu)
		}
		step := adj * g * inv
		dy.add(i, -step)
		if dmu.step > 0 {
			dmu.add(i, step)
		}
		if dsigma.step > 0 {
			dsigma.add(i, adj*inv*(g*z-1))
		}
		gMu += g * inv
		gSigma += inv * (g*z - 1)
	}
	if dmu.step == 0 {
		dmu.add(0, adj*gMu)
	}
	if dsigma.step == 0 {
		dsigma.add(0, adj*gSigma)
	}
	s.log1 = logs.log()
	s.logScale = scales.log()
	if sigma.step == 0 {
		s.logScale = float64(n) * math.Log(sigma.x[0])
	}
	return s
}
