// This file helps rows to give their three cdf functions from one piece of code.

package univariate

import (
	"math"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
	"github.com/seed-12b88e03/ppl/stdlib/special"
)

// A tail names one of the cdf functions.
type tail uint8

const (
	lower    tail = iota // P(Y <= y)
	logLower             // its logarithm
	logUpper             // log P(Y > y)
)

// withTails sets the three cdf functions of a row from one function.
func withTails(d *catalogue.Distribution, f func(t tail, x, d []float64) float64) *catalogue.Distribution {
	d.CDF = func(x, dx []float64) float64 { return f(lower, x, dx) }
	d.LogCDF = func(x, dx []float64) float64 { return f(logLower, x, dx) }
	d.LogCCDF = func(x, dx []float64) float64 { return f(logUpper, x, dx) }
	return d
}

// logTailsOnly is withTails for a row that has no plain cdf in Stan.
func logTailsOnly(d *catalogue.Distribution, f func(t tail, x, d []float64) float64) *catalogue.Distribution {
	withTails(d, f).CDF = nil
	return d
}

// fromProbabilities returns the value of tail t from p = P(Y <= y) and q = P(Y > y),
// both accurate, and the factor that turns a derivative of p into one of the value.
func fromProbabilities(t tail, p, q float64) (v, factor float64) {
	switch t {
	case logLower:
		return logOf(p, q), 1 / p
	case logUpper:
		return logOf(q, p), -1 / q
	}
	return p, 1
}

// logOf is log p given also q = 1 - p.
func logOf(p, q float64) float64 {
	if p > 0.5 {
		return libm.Log1p(-q)
	}
	return libm.Log(p)
}

// edge is the value of tail t where P(Y <= y) is 0 (or 1); all derivatives are 0.
func edge(t tail, one bool, d []float64) float64 {
	clear(d)
	switch {
	case t == lower && !one, t == logLower && one, t == logUpper && !one:
		return 0
	case t == lower:
		return 1
	}
	return catalogue.NegInf
}

// locationScale makes the tails of the distribution of mu + sigma Z from those of Z;
// x is (y, mu, sigma).
func locationScale(f func(t tail, z float64) (v, dz float64)) func(t tail, x, d []float64) float64 {
	return func(t tail, x, d []float64) float64 {
		z := (x[0] - x[1]) / x[2]
		if math.IsInf(z, 0) {
			return edge(t, z > 0, d)
		}
		v, dz := f(t, z)
		if d != nil {
			g := dz / x[2]
			d[0], d[1], d[2] = g, -g, -g*z
		}
		return v
	}
}

// A tailValue is the value of a cdf function of an incomplete gamma or beta function,
// with its derivatives in the argument and the shapes.
type tailValue struct {
	v, dx, da, db float64
}

// ofTails picks tail t.
func ofTails(t tail, s special.Tails) tailValue {
	switch t {
	case logLower:
		return tailValue{s.LogP, libm.Exp(s.LogDensity - s.LogP), s.LogPA, s.LogPB}
	case logUpper:
		return tailValue{s.LogQ, -libm.Exp(s.LogDensity - s.LogQ), s.LogQA, s.LogQB}
	}
	if s.P > 0.5 {
		return tailValue{s.P, libm.Exp(s.LogDensity), -s.Q * s.LogQA, -s.Q * s.LogQB}
	}
	return tailValue{s.P, libm.Exp(s.LogDensity), s.P * s.LogPA, s.P * s.LogPB}
}

// reversed exchanges the tails, for a variate that decreases with the argument of
// the function; the density becomes that of the argument still.
func reversed(s special.Tails) special.Tails {
	s.P, s.Q = s.Q, s.P
	s.LogP, s.LogQ = s.LogQ, s.LogP
	s.LogPA, s.LogQA = s.LogQA, s.LogPA
	s.LogPB, s.LogQB = s.LogQB, s.LogPB
	return s
}

// ofReversed is ofTails for a variate that decreases with the argument.
func ofReversed(t tail, s special.Tails) tailValue {
	r := ofTails(t, reversed(s))
	r.dx = -r.dx
	return r
}
