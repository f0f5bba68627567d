// This file estimates the bound and its natural gradient, and makes a step.

package vi

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"

	"github.com/seed-12b88e03/ppl/infer"
)

// point is a place with what was evaluated there.
type point struct {
	e, q, h []float64 // noise, of the first of a pair only; coordinates; grad log p - grad log q
	ratio   float64   // log p - log q
}

func newPoint(dim, noise int) point {
	return point{e: make([]float64, noise), q: make([]float64, dim), h: make([]float64, dim)}
}

// stepper makes steps of a family on a target.
type stepper struct {
	target infer.Target
	sub    infer.Subsampled // nil: no minibatches
	terms  int              // of the likelihood
	batch  []int            // terms of the present one
	fam    family
	r      *rand.Rand
	pairs  int

	rate  float64 // for the mean
	limit float64 // greatest rate; the rate for the scales
	trend trend

	a, b        point // a pair
	score       []float64
	h, dir, old []float64 // mean of h; C h; C h of the last step
	evaluations int
	lost        int // successive steps that lost most of their points
}

func newStepper(t infer.Target, f family, r *rand.Rand, samples int) *stepper {
	d := t.Dim()
	return &stepper{
		target: t, fam: f, r: r, pairs: max(samples/2, 1), rate: firstRate, limit: firstRate,
		a: newPoint(d, f.noise()), b: newPoint(d, f.noise()),
		score: make([]float64, d), h: make([]float64, d), dir: make([]float64, d), old: make([]float64, d),
	}
}

const (
	firstRate = 0.5
	leastRate = 1e-4
	turn      = 0.7 // factor of the rate's search
)

// step moves the family and returns the estimated bound at where it was; NaN
// if no pair of points had a density.
func (s *stepper) step() (bound float64, err error) {
	if s.sub != nil {
		for i := range s.batch {
			s.batch[i] = s.r.IntN(s.terms)
		}
	}
	clear(s.h)
	good := 0
	for range s.pairs {
		for i := range s.a.e {
			s.a.e[i] = s.r.NormFloat64()
		}
		ok, err := s.evaluatePair()
		if err != nil {
			return 0, err
		}
		if !ok {
			continue
		}
		floats.Add(s.h, s.a.h)
		floats.Add(s.h, s.b.h)
		bound += s.a.ratio + s.b.ratio
		// What is collected is linear in h and odd in the noise.
		floats.Sub(s.a.h, s.b.h)
		s.fam.collect(s.a.h, s.a.e)
		good++
	}
	if 2*good < s.pairs {
		s.lost++
		s.fam.forget()
		s.fam.shrink(0.8)
		return math.NaN(), nil
	}
	s.lost = 0
	s.move(2 * good)
	return bound / float64(2*good), nil
}

// evaluatePair fills in both points from the noise of the first; ok is false where one of
// them has no density. The second is the mirror image of the first in the mean, so that
// its log q is the same and its score the negative.
func (s *stepper) evaluatePair() (ok bool, err error) {
	s.fam.place(s.a.e, s.a.q)
	for i, m := range s.fam.params()[:len(s.a.q)] {
		s.b.q[i] = 2*m - s.a.q[i]
	}
	logq := s.fam.score(s.a.e, s.score)
	if ok, err := s.evaluate(&s.a, logq, 1); !ok || err != nil {
		return false, err
	}
	return s.evaluate(&s.b, logq, -1)
}

// evaluate fills in the rest of a point that has been placed; the score counts with the
// given sign.
func (s *stepper) evaluate(p *point, logq, sign float64) (ok bool, err error) {
	s.evaluations++
	var lp float64
	if s.sub != nil {
		lp, err = s.sub.LogDensityGradTerms(p.q, s.batch, p.h)
	} else {
		lp, err = s.target.LogDensityGrad(p.q, p.h)
	}
	if err != nil {
		if infer.IsReject(err) {
			return false, nil
		}
		return false, err
	}
	p.ratio = lp - logq
	floats.AddScaled(p.h, sign, s.score)
	sum := floats.Sum(p.h) + p.ratio
	return !math.IsNaN(sum) && !math.IsInf(sum, 0), nil
}

// move makes the step that n points have asked for.
func (s *stepper) move(n int) {
	floats.Scale(1/float64(n), s.h)
	s.dir, s.old = s.old, s.dir
	s.fam.covariance(s.h, s.dir)
	square := floats.Dot(s.h, s.dir)
	s.search(floats.Dot(s.h, s.old), square)
	copy(s.score, s.dir)
	floats.Scale(s.rate*cut(square, len(s.h), 1), s.score)
	s.fam.move(s.score, s.limit, n)
}

// search adapts the rate to how successive directions lie to each other.
func (s *stepper) search(inner, square float64) {
	s.rate = min(s.rate, s.limit)
	switch c := s.trend.add(inner, square); {
	case c < -0.5:
		s.rate = max(s.rate*turn, leastRate)
		s.trend = trend{}
	case c > 0.5:
		s.rate = min(s.rate/turn, s.limit)
		s.trend = trend{}
	}
}

// trend averages the cosine between successive steps over about ten of them.
type trend struct {
	inner, square float64
	n             int
}

// add returns the average, or 0 until there are ten.
func (t *trend) add(inner, square float64) float64 {
	const keep = 0.9
	if t.n++; t.n == 1 {
		return 0 // the first inner product is with a step of before
	}
	t.inner = keep*t.inner + (1-keep)*inner
	t.square = keep*t.square + (1-keep)*square
	if t.n < 10 || t.square == 0 {
		return 0
	}
	return t.inner / t.square
}
