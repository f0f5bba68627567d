// The logarithm of the gamma function, and its derivative.

package vec

import "math"

const halfLogTwoPi = 0.91893853320467274178032973640562

// lgamma returns log(gamma(x)) for positive normal x.
func lgamma(x float64) float64 {
	v, _ := lgammaPsi(x)
	return v
}

// digamma returns the derivative of lgamma for positive normal x.
func digamma(x float64) float64 {
	_, v := lgammaPsi(x)
	return v
}

// lgammaPsi returns log(gamma(x)) and digamma(x) for positive x by Stirling's series at 8 or
// beyond. What lies below is taken up by 8.
func lgammaPsi(x float64) (lg, psi float64) {
	far := x
	product := 1.0
	slope := 0.0
	q, s := rising(x)
	if x < 8 {
		far = x + 8
		product = q
		slope = s
	}
	l := logPositive(far)
	r := 1 / far
	series, rates := stirling(r)
	lg = math.FMA(far-0.5, l, -far) + (math.FMA(series, r, halfLogTwoPi) - logPositive(product))
	psi = math.FMA(-0.5, r, l) - math.FMA(rates, r*r, slope)
	return lg, psi
}

// rising returns gamma(x+8)/gamma(x) and the derivative of its logarithm.
func rising(x float64) (product, slope float64) {
	q, d := risingParts(x)
	return q, d / q
}

// risingParts returns gamma(x+8)/gamma(x) and its derivative. It is the product x(x+1)...(x+7),
// which with u = x(x+7) is u(u+6)(u+10)(u+12).
func risingParts(x float64) (product, derivative float64) {
	u := float64(x * (x + 7))
	v := float64(u * (u + 12))
	w := math.FMA(u, u+16, 60)
	return v * w, 2 * math.FMA(x, 2, 7) * math.FMA(u+6, w, float64(v*(u+8)))
}

// stirling returns the series in r^2 by which at 1/r log(gamma), divided by r, and digamma, divided
// by -r^2, differ from their leading terms.
func stirling(r float64) (series, rates float64) {
	const (
		s1 = 1.0 / 12
		s2 = -1.0 / 360
		s3 = 1.0 / 1260
		s4 = -1.0 / 1680
		s5 = 1.0 / 1188
		s6 = -691.0 / 360360
		s7 = 1.0 / 156
		s8 = -3617.0 / 122400
		s9 = 43867.0 / 244188
	)
	z := r * r
	series = math.FMA(math.FMA(math.FMA(math.FMA(math.FMA(math.FMA(math.FMA(math.FMA(
		s9, z, s8), z, s7), z, s6), z, s5), z, s4), z, s3), z, s2), z, s1)
	// The derivative's coefficients are those of the series times 1, 3, 5, ...
	rates = math.FMA(math.FMA(math.FMA(math.FMA(math.FMA(math.FMA(math.FMA(math.FMA(
		17*s9, z, 15*s8), z, 13*s7), z, 11*s6), z, 9*s5), z, 7*s4), z, 5*s3), z, 3*s2), z, s1)
	return series, rates
}

// lgammaTerm is lgammaPsi with a place for each result.
func lgammaTerm(x, again float64) (lg, psi float64) {
	a, b := lgammaPsi(x)
	return a, b
}
