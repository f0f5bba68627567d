// The logarithm of the beta function, and its derivatives.

package vec

import "math"

// Lbeta returns log(B(a, b)), the same bits as LbetaVV.
func Lbeta(a, b float64) float64 { return lbeta(a, b) }

// LbetaSlopes returns the derivatives of log(B(a, b)), the same bits as LbetaPsi.
func LbetaSlopes(a, b float64) (da, db float64) {
	_, da, db = lbetaPsi(a, b)
	return da, db
}

// lbeta returns log(B(a, b)) for positive a and b.
func lbeta(a, b float64) float64 {
	v, _, _ := lbetaPsi(a, b)
	return v
}

// lbetaTerm sums log(B(a, b)).
func lbetaTerm(a, b, slope float64) (da, db, value float64) {
	v, ga, gb := lbetaPsi(a, b)
	return float64(slope * ga), float64(slope * gb), v
}

// lbetaPsi returns log(B(a, b)) and its derivatives, digamma(a) - digamma(a+b) and the like, for
// positive a and b. Below 8 they are taken up by 8, as in lgammaPsi. With p <= q for what they
// are, far and high for what they become and s = high+p, the large terms of Stirling's formula
// cancel on paper: p log(far/s) - (high-1/2) log(1+p/high) - log(far)/2 is left, and if p was
// taken up 8 (log(far) - 1). One division makes the reciprocals of all rising factorials, and one
// those of far, high and s.
func lbetaPsi(a, b float64) (v, da, db float64) {
	const expMinus8 = 0.00033546262790251183882138912578
	p := a
	q := b
	if b < a {
		p = b
		q = a
	}
	f, first := risingParts(p)
	far := p + 8
	p2 := far * far
	p4 := p2 * p2
	n := p4 * p4 * expMinus8
	if p >= 8 {
		far = p
		n = 1
		f = 1
		first = 0
	}
	h, both := risingParts(p + q)
	g, second := risingParts(q)
	high := q + 8
	if q >= 8 {
		high = q
		g = 1
		h = 1
		second = 0
		both = 0
	}
	inv := 1 / (f * g * h)
	both = both * (inv * f * g)
	first = math.FMA(-first, inv*g*h, both)
	second = math.FMA(-second, inv*f*h, both)
	n = n * h * h * inv
	s := high + p
	inv = 1 / (far * high * s)
	r := inv * high * s
	n = n * n * r
	slip := p - (far - 8) // what p + 8 has lost
	if far == p {
		slip = 0
	}
	series, rates := stirling(r)
	v = math.FMA(series, r, math.FMA(0.95, slip, halfLogTwoPi))
	first = first - math.FMA(rates, r*r, 0.5*r)
	r = inv * far * s
	series, rates = stirling(r)
	v = math.FMA(series, r, v)
	second = second - math.FMA(rates, r*r, 0.5*r)
	ratio := quotient(p, high, r)
	r = inv * far * high
	series, rates = stirling(r)
	v = math.FMA(-series, r, v)
	e := math.FMA(rates, r*r, 0.5*r)
	first = first + e
	second = second + e
	v = math.FMA(-p, (p-(s-high))*r, v) // for what s has lost
	share := quotient(far, s, r)
	v = math.FMA(0.5, logPositive(n), v)
	m := log1pUnit(ratio)
	v = math.FMA(0.5-high, m, v)
	second = second - m
	l := logPositive(share)
	v = math.FMA(p, l, v)
	first = first + l
	da = first
	db = second
	if a > p {
		da = second
		db = first
	}
	return v, da, db
}

// quotient returns x/y, of which r is the reciprocal but for rounding.
func quotient(x, y, r float64) float64 {
	q := float64(x * r)
	return math.FMA(math.FMA(-q, y, x), r, q)
}
