// Log densities of one variate, with derivatives, as kernels over many compute them.

package vec

import "math"

// normalTerm takes 1/sigma as inv, and slope already multiplied by it. The caller adds up the squares.
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

// lognormalTerm is normalTerm for the logarithm of y, which is its second sum.
func lognormalTerm(y, mu, inv, slope, over float64) (dy, dmu, square, log float64) {
	l := logPositive(y)
	z := (l - mu) * inv
	g := float64(z * over)
	return -((slope + g) / y), g, float64(z * z), l
}

// logisticTerm sums |z|, log(1+e^-|z|), and z times minus the derivative in z.
func logisticTerm(y, mu, inv, over float64) (dy, dmu, size, factor, exponent, moment float64) {
	z := (y - mu) * inv
	a := math.Abs(z)
	e := exp(-a)
	d := 1 + e
	t := math.Copysign((1-e)/d, z)
	g := float64(over * t)
	f, k := splitLog(d)
	return -g, g, a, f, k, float64(z * t)
}

// doubleExponentialTerm sums |z|.
func doubleExponentialTerm(y, mu, inv, over float64) (dy, dmu, size float64) {
	d := y - mu
	g := math.Copysign(over, d)
	if d == 0 {
		g = 0
	}
	return -g, g, float64(math.Abs(d) * inv)
}

// weibullTerm is given the shape a, and sums a*l - log(y) - (y/sigma)^a and l*(1-(y/sigma)^a),
// l being log(y/sigma).
func weibullTerm(y, sigma, shape, slope float64) (dy, dsigma, value, moment float64) {
	logY := logPositive(y)
	l := logY - logPositive(sigma)
	al := float64(shape * l)
	m := exp(al)
	rest := float64(slope * shape * (1 - m))
	return (rest - slope) / y, -(rest / sigma), (al - m) - logY, float64(l * (1 - m))
}

// exponentialTerm sums beta*y and log(beta).
func exponentialTerm(y, beta, slope float64) (dy, dbeta, scaled, factor, exponent float64) {
	f, e := splitLog(beta)
	return -float64(slope * beta), float64(slope * (1/beta - y)), float64(beta * y), f, e
}

// gammaTerm is given the shape and its reciprocal. With r = beta*y/shape it sums
// log(r)+1-r, log(r) and log(y).
func gammaTerm(y, beta, shape, inv, slope float64) (dy, dbeta, value, logRatio, factor, exponent float64) {
	l := float64(beta * y)
	r := float64(l * inv)
	logR := logPositive(r)
	f, e := splitLog(y)
	d := shape - l
	return slope * (d - 1) / y, slope * d / beta, logR + (1 - r), logR, f, e
}

// bernoulliTerm sums the logarithms of the chances of what was seen.
func bernoulliTerm(theta, y, slope float64) (dtheta, factor, exponent float64) {
	p := 1 - theta
	s := -slope
	if y > 0.5 {
		p = theta
		s = slope
	}
	f, e := splitLog(p)
	return s / p, f, e
}

// binomialTerm sums k*log(theta) + (n-k)*log(1-theta).
func binomialTerm(theta, k, n, slope float64) (dtheta, value float64) {
	m := n - k
	other := 1 - theta
	d := float64(k*other) - float64(m*theta)
	return float64(slope * (d / float64(theta*other))), math.FMA(k, logPositive(theta), float64(m*log1p(-theta)))
}

// binomialLogitTerm sums k*log(p) + (n-k)*log(1-p), p having log odds alpha. Both logarithms
// are -log(1+e^-|alpha|), one of them less |alpha|.
func binomialLogitTerm(alpha, k, n, slope float64) (dalpha, value float64) {
	e := exp(-math.Abs(alpha))
	s := log1pUnit(e)
	p := e
	q := 1.0
	far := k // those whose chance is the smaller one
	if alpha >= 0 {
		p = 1
		q = e
		far = n - k
	}
	d := (float64(k*q) - float64((n-k)*p)) / (1 + e)
	return float64(slope * d), -math.FMA(n, s, float64(far*math.Abs(alpha)))
}

// poissonTerm sums k*log(lambda) - lambda.
func poissonTerm(lambda, k, slope float64) (dlambda, value float64) {
	return float64(slope * (k/lambda - 1)), math.FMA(k, logPositive(lambda), -lambda)
}

// poissonLogTerm sums k*eta - e^eta.
func poissonLogTerm(eta, k, slope float64) (deta, value float64) {
	mean := exp(eta)
	return float64(slope * (k - mean)), math.FMA(k, eta, -mean)
}

// negBinomialTerm sums k*log(p) + phi*log(1-p), p having log odds eta - log(phi), and
// -log(1-p), and the derivatives in eta without slope.
func negBinomialTerm(eta, k, phi, logPhi, slope float64) (deta, value, rest, total float64) {
	l := eta - logPhi
	a := math.Abs(l)
	e := exp(-a)
	s := log1pUnit(e)
	p := e
	q := 1.0
	far := k
	top := 0.0
	if l >= 0 {
		p = 1
		q = e
		far = phi
		top = a
	}
	d := (float64(k*q) - float64(phi*p)) / (1 + e)
	return float64(slope * d), -math.FMA(k+phi, s, float64(far*a)), top + s, d
}

// negBinomialPhiTerm is negBinomialTerm for precisions that differ.
func negBinomialPhiTerm(eta, phi, k, slope float64) (deta, dphi, value float64) {
	d, v, rest, total := negBinomialTerm(eta, k, phi, logPositive(phi), slope)
	return d, -float64(slope * (rest + total/phi)), v
}

// orderedLogitTerm sums log(F(hi)-F(lo)) for the logistic distribution function F: with
// u = 1/(e^(hi-lo)-1) the difference is F(hi) F(-lo) / (1+u).
func orderedLogitTerm(lo, hi, slope float64) (dlo, dhi, value float64) {
	u := 1 / expm1(hi-lo)
	e := exp(-math.Abs(lo))
	f := exp(-math.Abs(hi))
	above := lo
	p := 1.0
	if lo < 0 {
		above = 0
		p = e
	}
	below := -hi
	q := 1.0
	if hi >= 0 {
		below = 0
		q = f
	}
	value = -(above + log1pUnit(e)) - (below + log1pUnit(f)) - log1p(u)
	return -float64(slope * (p/(1+e) + u)), float64(slope * (q/(1+f) + u)), value
}
