// Log densities of one variate, with derivatives, as kernels over many compute them.

package vec

import "math"

// normalTerm is given 1/sigma, and slope times it. Its sum is that of squares.
func normalTerm(y, mu, inv, slope float64) (dy, dmu, square float64) {
	z := (y - mu) * inv
	g := float64(z * slope)
	return -g, g, float64(z * z)
}

// normalScaleTerm is normalTerm for scales that differ. It also gives sigma as splitLog
// does.
func normalScaleTerm(y, mu, sigma, slope float64) (dy, dmu, dsigma, square, factor, exponent float64) {
	inv := 1 / sigma
	z := (y - mu) * inv
	s := slope * inv
	g := float64(z * s)
	f, e := splitLog(sigma)
	return -g, g, math.FMA(g, z, -s), float64(z * z), f, e
}

// studentTerm gives, with w the square of the variate standardised over nu, the share
// w/(1+w), and 1+w and sigma as splitLog does. One division makes the reciprocals of sigma
// and of q, which is nu sigma^2 (1+w). power is slope times nu+1.
func studentTerm(y, mu, sigma, nu, invNu, slope, power float64) (dy, dmu, dsigma, share, factor, exponent, factor2, exponent2 float64) {
	d := y - mu
	d2 := float64(d * d)
	q := math.FMA(nu*sigma, sigma, d2)
	r := 1 / (q * sigma)
	over := r * sigma
	inv := r * q
	z := d * inv
	w := float64(z * z * invNu)
	u := float64(d2 * over)
	g := float64(power * d * over)
	f, e := splitLog(1 + w)
	f2, e2 := splitLog(sigma)
	return -g, g, float64(math.FMA(power, u, -slope) * inv), u, f, e, f2, e2
}
