// This file has the families as the score-function estimators see them: densities
// to draw from, factor by factor, with the derivative of the log density by the
// parameters where the point stays.

package gvi

import (
	"math"
	"math/rand/v2"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/normal"
	"github.com/seed-12b88e03/ppl/stdlib/special"
	"github.com/seed-12b88e03/ppl/stdlib/variate"
)

// scoring is a family of densities that are products of factors.
type scoring interface {
	// params is the number of parameters, dim that of coordinates.
	params() int
	dim() int
	factors() []factor
	// set takes parameters, which all methods below refer to.
	set(p []float64)
	// draw writes an independent draw into x, the log densities of the factors there
	// into lq, and their derivatives by the parameters into score.
	draw(r *rand.Rand, x, lq, score []float64)
	// approximation is the present density, as a copy.
	approximation() infer.Approximation
}

// factor is one factor of a density: of some coordinates, perhaps given others.
type factor struct {
	params []int
	moves  []int // coordinates whose law depends on the parameters; nil: all
	reads  []int // coordinates that the factor's density depends on; nil: all
}

// scoredNormal is a family of normals: one factor for each coordinate of meanfield,
// one for all of the others.
type scoredNormal struct {
	gaussian
	d        int
	now      *normal.Normal
	e, slope []float64
	logS     []float64 // of the mean-field family, the logs of the scales
}

func newScoredNormal(f gaussian, dim int) *scoredNormal {
	return &scoredNormal{gaussian: f, d: dim, e: make([]float64, f.noise()), slope: make([]float64, dim)}
}

func (s *scoredNormal) dim() int { return s.d }

func (s *scoredNormal) factors() []factor {
	if _, ok := s.gaussian.(*meanField); !ok {
		return []factor{{params: sequence(0, s.params())}}
	}
	out := make([]factor, s.d)
	for i := range out {
		out[i] = factor{params: []int{i, s.d + i}, moves: []int{i}, reads: []int{i}}
	}
	return out
}

func (s *scoredNormal) set(p []float64) {
	s.gaussian.set(p)
	s.now = s.normal()
	if f, ok := s.gaussian.(*meanField); ok {
		s.logS = s.logS[:0]
		for _, v := range f.s {
			s.logS = append(s.logS, libm.Log(v))
		}
	}
}

// draw has the score from the total derivative along the noise, which is the score
// and the derivative by x times that of x.
func (s *scoredNormal) draw(r *rand.Rand, x, lq, score []float64) {
	for i := range s.e {
		s.e[i] = variate.Normal(r)
	}
	s.place(s.e, x)
	if f, ok := s.gaussian.(*meanField); ok {
		for i, e := range s.e {
			lq[i] = float64(-e*e/2) - normal.LogRoot2Pi - s.logS[i]
			score[i], score[s.d+i] = f.unit[i]*e/f.s[i], float64(e*e)-1
		}
		return
	}
	lq[0] = s.now.LogDensityGrad(x, s.slope)
	for i := range s.slope {
		s.slope[i] = -s.slope[i]
	}
	clear(score)
	s.pull(s.e, s.slope, 1, score)
}

// scoredConjugate is the normal-inverse-gamma family: the factor of s, and those of
// the coefficients given s. Its parameters are (log a, log b, means, log v) about and
// in units of a start.
type scoredConjugate struct {
	start, unit []float64
	at          int
	power       float64
	now         []float64
	q           *NormalInverseGamma
	// Of q: log b, digamma(a), the factor of s's constant, and those of the coefficients.
	logB, digamma, constant float64
	constants               []float64
}

func (s *scoredConjugate) params() int { return len(s.start) }
func (s *scoredConjugate) dim() int    { return len(s.start) / 2 }

func (s *scoredConjugate) factors() []factor {
	k := s.dim() - 1
	out := []factor{{params: []int{0, 1}, reads: []int{s.at}}}
	for j := range k {
		i := coordinateBeside(s.at, j)
		out = append(out, factor{params: []int{2 + j, 2 + k + j}, moves: []int{i}, reads: []int{min(i, s.at), max(i, s.at)}})
	}
	return out
}

func (s *scoredConjugate) set(p []float64) {
	s.now = append(s.now[:0], p...)
	theta := make([]float64, len(p))
	s.theta(theta)
	q := conjugateAt(theta, s.at, s.power)
	lg, _ := libm.Lgamma(q.A)
	s.q, s.logB, s.digamma = q, libm.Log(q.B), special.Digamma(q.A)
	s.constant = float64(q.A*s.logB) - lg + libm.Log(math.Abs(s.power))
	s.constants = s.constants[:0]
	for _, v := range q.V {
		s.constants = append(s.constants, -libm.Log(v)/2-normal.LogRoot2Pi)
	}
}

// theta writes the density's own parameters.
func (s *scoredConjugate) theta(out []float64) {
	for i, v := range s.now {
		out[i] = s.start[i] + float64(s.unit[i]*v)
	}
}

func (s *scoredConjugate) draw(r *rand.Rand, x, lq, score []float64) {
	q := s.q
	q.Draw(r, x)
	k := len(q.Mean)
	logS := float64(s.power * x[s.at])
	inverse := libm.Exp(-logS)
	lq[0] = s.constant - float64(q.A*logS) - float64(q.B*inverse)
	score[0] = s.unit[0] * q.A * (s.logB - s.digamma - logS)
	score[1] = s.unit[1] * (q.A - float64(q.B*inverse))
	for j, m := range q.Mean {
		z := (x[q.coord(j)] - m) / q.V[j]
		square := float64(z * (x[q.coord(j)] - m) * inverse)
		lq[1+j] = s.constants[j] - (square+logS)/2
		score[2+j] = s.unit[2+j] * z * inverse
		score[2+k+j] = s.unit[2+k+j] * (square - 1) / 2
	}
}

func (s *scoredConjugate) approximation() infer.Approximation { return s.q }

func sequence(from, n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = from + i
	}
	return out
}
