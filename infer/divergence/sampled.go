// This file has divergences from points: Monte Carlo and quadrature.

package divergence

import (
	"math"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
)

// Sampled is a pair of which the log densities are known at points: E_q[f] is
// the sum of weight times f. As parameters of q it has the log densities
// themselves: those of q at all points, then those of pi.
type Sampled struct {
	Weights []float64 // they sum to 1
	LogQ    []float64 // log q at each point
	LogPi   []float64 // log pi at each point
	// Prior is log G(0, b), which points of q cannot tell; nil: 0, which leaves
	// out a constant of beta and gamma.
	Prior func(b float64) float64
	// Self, if not nil, is a correction that is added to log G(a, 0).
	Self func(a float64) float64
}

// KL implements Pair.
func (s *Sampled) KL() float64 {
	var sum float64
	for k, w := range s.Weights {
		sum += float64(w * (s.LogQ[k] - s.LogPi[k]))
	}
	return sum
}

// exponent is the log of point k's share of G(a, b).
func (s *Sampled) exponent(k int, a, b float64) float64 {
	e := libm.Log(s.Weights[k])
	if a != 1 {
		e += float64((a - 1) * s.LogQ[k])
	}
	if b != 0 {
		e += float64(b * s.LogPi[k])
	}
	return e
}

// raw is log G(a, b) without corrections.
func (s *Sampled) raw(a, b float64) float64 {
	top, sum := math.Inf(-1), 0.0
	for k := range s.Weights { // in one pass: the sum is scaled by the largest so far
		switch e := s.exponent(k, a, b); {
		case math.IsInf(e, -1):
		case e <= top:
			sum += libm.Exp(e - top)
		default:
			sum = float64(sum*libm.Exp(top-e)) + 1
			top = e
		}
	}
	return top + libm.Log(sum)
}

// LogPower implements Pair.
func (s *Sampled) LogPower(a, b float64) float64 {
	if a == 0 {
		if s.Prior == nil {
			return 0
		}
		return s.Prior(b)
	}
	l := s.raw(a, b)
	if b == 0 && s.Self != nil {
		l += s.Self(a)
	}
	return l
}

// Effective is the number of points that G(a, b) rests on: the square of the sum of
// their shares over the sum of the squares.
func (s *Sampled) Effective(a, b float64) float64 {
	total, squares := s.raw(a, b), 0.0
	for k := range s.Weights {
		squares += libm.Exp(2 * (s.exponent(k, a, b) - total))
	}
	return 1 / squares
}

// AddKL implements Pair.
func (s *Sampled) AddKL(scale float64, grad []float64) {
	n := len(s.Weights)
	for k, w := range s.Weights {
		grad[k] += float64(scale * w)
		grad[n+k] -= float64(scale * w)
	}
}

// AddLogPower implements Pair.
func (s *Sampled) AddLogPower(a, b, scale float64, grad []float64) {
	n := len(s.Weights)
	total := s.raw(a, b)
	for k := range s.Weights {
		share := scale * libm.Exp(s.exponent(k, a, b)-total)
		grad[k] += float64((a - 1) * share)
		grad[n+k] += float64(b * share)
	}
}

var _ Pair = (*Sampled)(nil)
