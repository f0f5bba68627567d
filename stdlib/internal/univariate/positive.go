// This file holds the exponential, Weibull, Frechet, Rayleigh and loglogistic distributions.

package univariate

import (
	"math"
	"math/rand/v2"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
	"github.com/seed-12b88e03/ppl/stdlib/special"
	"github.com/seed-12b88e03/ppl/stdlib/variate"
)

func positiveDistributions() []*catalogue.Distribution {
	return []*catalogue.Distribution{
		withTails(&catalogue.Distribution{
			Name: "exponential", Args: "reals y | reals beta",
			Doc: "exponential distribution with inverse scale beta", Section: positives,
			Requires: []catalogue.Requirement{catalogue.Nonnegative, catalogue.PositiveFinite}, Log: exponentialLog, Bulk: exponentialBulk,
			Draw: func(r *rand.Rand, p []float64) float64 { return variate.Exponential(r) / p[0] },
		}, func(t tail, x, d []float64) float64 {
			v, dl := exponentialTail(t, x[0]*x[1])
			if d != nil {
				d[0], d[1] = dl*x[1], dl*x[0]
			}
			return v
		}),
		withTails(&catalogue.Distribution{
			Name: "weibull", Args: "reals y | reals alpha, reals sigma",
			Doc: "Weibull distribution with shape alpha and scale sigma", Section: positives,
			Requires: []catalogue.Requirement{catalogue.Finite, catalogue.PositiveFinite, catalogue.PositiveFinite}, Variate: &catalogue.Nonnegative,
			Log: weibullLog, Bulk: weibullBulk, FiniteImpliesValid: true,
			Draw: func(r *rand.Rand, p []float64) float64 { return p[1] * libm.Pow(variate.Exponential(r), 1/p[0]) },
		}, weibullTail),
		withTails(&catalogue.Distribution{
			Name: "frechet", Args: "reals y | reals alpha, reals sigma",
			Doc: "Frechet distribution with shape alpha and scale sigma", Section: positives,
			Requires: []catalogue.Requirement{catalogue.Positive, catalogue.PositiveFinite, catalogue.PositiveFinite},
			Log:      frechetLog,
			Draw:     func(r *rand.Rand, p []float64) float64 { return p[1] * libm.Pow(variate.Exponential(r), -1/p[0]) },
		}, frechetTail),
		withTails(&catalogue.Distribution{
			Name: "rayleigh", Args: "reals y | reals sigma",
			Doc: "Rayleigh distribution with scale sigma", Section: positives,
			Requires: []catalogue.Requirement{catalogue.Positive, catalogue.PositiveFinite}, Variate: &catalogue.Nonnegative,
			Log:  rayleighLog,
			Draw: func(r *rand.Rand, p []float64) float64 { return p[0] * math.Sqrt(2*variate.Exponential(r)) },
		}, func(t tail, x, d []float64) float64 {
			z := x[0] / x[1]
			v, dl := exponentialTail(t, 0.5*z*z)
			if d != nil {
				d[0], d[1] = dl*z/x[1], -dl*z*z/x[1]
			}
			return v
		}),
		loglogistic(),
	}
}

func exponentialLog(x, d []float64) float64 {
	y, b := x[0], x[1]
	if d != nil {
		d[0], d[1] = -b, 1/b-y
	}
	return libm.Log(b) - float64(b*y)
}

// exponentialBulk does a common rate by the sum of the variates.
func exponentialBulk(n int, in []catalogue.Tensor, adj float64, din [][]float64) (float64, bool) {
	if len(in[1].Dims) > 0 {
		return exponentialRates(n, in, adj, din)
	}
	sum, b := 0.0, in[1].X[0]
	for _, y := range in[0].X {
		sum += y
	}
	if len(din) > 0 {
		for i := range din[0] {
			din[0][i] -= float64(adj * b)
		}
		if din[1] != nil {
			din[1][0] += float64(adj * (float64(n)/b - sum))
		}
	}
	return float64(float64(n)*libm.Log(b)) - float64(b*sum), true
}

// exponentialTail is the distribution of a unit exponential variate at l.
func exponentialTail(t tail, l float64) (v, dl float64) {
	if l > catalogue.MaxFinite {
		return edge(t, true, nil), 0
	}
	switch t {
	case logUpper:
		return -l, -1
	case logLower:
		return special.Log1mExp(-l), 1 / libm.Expm1(l)
	}
	return -libm.Expm1(-l), libm.Exp(-l)
}

func weibullLog(x, d []float64) float64 {
	y, a, s := x[0], x[1], x[2]
	if y < 0 {
		return catalogue.NegInf
	}
	logR := libm.Log(y / s)
	l := libm.Exp(a * logR)
	if y == 0 {
		return gammaAtEdge(0, a, -libm.Log(s), d)
	}
	if d != nil {
		d[0], d[1], d[2] = (a-1-float64(a*l))/y, 1/a-float64(logR*libm.Expm1(a*logR)), a*libm.Expm1(a*logR)/s
	}
	return libm.Log(a) - libm.Log(s) + float64((a-1)*logR) - l
}

func weibullTail(t tail, x, d []float64) float64 {
	y, a, s := x[0], x[1], x[2]
	if y == 0 {
		return edge(t, false, d)
	}
	logR := libm.Log(y / s)
	v, g := exponentialTailLog(t, a*logR)
	if d != nil {
		d[0], d[1], d[2] = g*a/y, g*logR, -g*a/s
	}
	return v
}

func frechetLog(x, d []float64) float64 {
	y, a, s := x[0], x[1], x[2]
	logR := libm.Log(y / s)
	l := libm.Exp(-a * logR)
	if math.IsInf(y, 1) {
		return catalogue.NegInf
	}
	if d != nil {
		e := libm.Expm1(-a * logR)
		d[0], d[1], d[2] = (float64(a*e)-1)/y, 1/a+float64(logR*e), -a*e/s
	}
	return libm.Log(a) - libm.Log(s) - float64((a+1)*logR) - l
}

// frechetTail: the lower tail of y is the upper tail of an exponential variate.
func frechetTail(t tail, x, d []float64) float64 {
	y, a, s := x[0], x[1], x[2]
	logR := libm.Log(y / s)
	v, g := reversedExponential(t, -a*logR)
	if d != nil {
		g = -g
		d[0], d[1], d[2] = g*a/y, g*logR, -g*a/s
	}
	return v
}

// exponentialTailLog is exponentialTail at exp(logL), which may be too small or too large
// for a number; g is the derivative in logL.
func exponentialTailLog(t tail, logL float64) (v, g float64) {
	l := libm.Exp(logL)
	switch {
	case math.IsInf(l, 1):
		return edge(t, true, nil), 0
	case t == logLower && l < 0x1p-60: // log(1 - exp(-l)) is log l
		return logL, 1
	}
	v, dl := exponentialTail(t, l)
	return v, dl * l
}

// reversedExponential is the tail t of a variate that decreases with a unit exponential
// variate, whose value is exp(logL); g is the derivative in logL.
func reversedExponential(t tail, logL float64) (v, g float64) {
	switch t {
	case logLower:
		return exponentialTailLog(logUpper, logL)
	case logUpper:
		return exponentialTailLog(logLower, logL)
	}
	l := libm.Exp(logL)
	if math.IsInf(l, 1) {
		return 0, 0
	}
	v = libm.Exp(-l)
	return v, -v * l
}

func rayleighLog(x, d []float64) float64 {
	y, s := x[0], x[1]
	z := y / s
	if math.IsInf(z, 1) {
		return catalogue.NegInf
	}
	if d != nil {
		d[0], d[1] = 1/y-z/s, (float64(z*z)-2)/s
	}
	return libm.Log(z) - libm.Log(s) - float64(0.5*z*z)
}

// loglogistic is the distribution whose logarithm is logistic; it has no log tails
// in Stan.
func loglogistic() *catalogue.Distribution {
	return &catalogue.Distribution{
		Name: "loglogistic", Args: "reals y | reals alpha, reals beta",
		Doc: "loglogistic distribution with scale alpha and shape beta", Section: positives,
		Requires: []catalogue.Requirement{catalogue.NonnegativeFinite, catalogue.PositiveFinite, catalogue.PositiveFinite}, Variate: &catalogue.Nonnegative,
		Log: func(x, d []float64) float64 {
			y, a, b := x[0], x[1], x[2]
			if y == 0 {
				return gammaAtEdge(0, b, -libm.Log(a), d)
			}
			logR := libm.Log(y / a)
			z := b * logR
			e := libm.Exp(-math.Abs(z))
			if d != nil {
				t := -libm.Expm1(-math.Abs(z)) / (1 + e)
				if z < 0 {
					t = -t
				}
				d[0], d[1], d[2] = -(1+float64(b*t))/y, b*t/a, 1/b-float64(t*logR)
			}
			return libm.Log(b) - libm.Log(y) - math.Abs(z) - 2*libm.Log1p(e)
		},
		CDF: func(x, d []float64) float64 {
			y, a, b := x[0], x[1], x[2]
			if y == 0 || math.IsInf(y, 1) {
				return edge(lower, y > 0, d)
			}
			logR := libm.Log(y / a)
			v, dz := logisticTail(lower, b*logR)
			if d != nil {
				d[0], d[1], d[2] = dz*b/y, -dz*b/a, dz*logR
			}
			return v
		},
		Draw: func(r *rand.Rand, p []float64) float64 {
			return p[0] * libm.Exp(logitOf(OpenUniform(r))/p[1])
		},
	}
}
