// This file estimates the bound and its natural gradient, and makes a step.

package vi

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"

	"github.com/seed-12b88e03/ppl/autodiff/vec"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/approx"
	"github.com/seed-12b88e03/ppl/stdlib/variate"
)

// stepper makes steps of a family on a target.
type stepper struct {
	target infer.Target
	sub    infer.Subsampled // nil: no minibatches
	terms  int              // of the likelihood
	batch  []int            // terms of the present one
	anchor *anchor          // of control variates; nil without
	fam    family
	r      *rand.Rand
	pairs  int

	rate  float64 // for the mean
	limit float64 // greatest rate; the rate for the scales
	trend approx.Trend

	noise       [][]float64   // of each pair of points
	points      *infer.Points // the points of the noise, then their mirror images
	h, dir, old []float64     // mean of h; C h; C h of the last step
	shift       []float64     // of the mean
	evaluations int
	lost        int // successive steps that lost most of their points
}

func newStepper(t infer.Target, f family, r *rand.Rand, samples int) *stepper {
	d := t.Dim()
	s := &stepper{
		target: t, fam: f, r: r, pairs: max(samples/2, 1), rate: firstRate, limit: firstRate,
		h: make([]float64, d), dir: make([]float64, d), old: make([]float64, d), shift: make([]float64, d),
	}
	s.points = infer.NewPoints(2*s.pairs, d)
	s.noise = make([][]float64, s.pairs)
	for k := range s.noise {
		s.noise[k] = make([]float64, f.noise())
	}
	return s
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
			s.batch[i] = variate.IntN(s.r, s.terms)
		}
		if err := s.anchor.draw(s.sub, s.batch); err != nil {
			return 0, err
		}
	}
	clear(s.h)
	good := 0
	s.evaluate()
	for k, e := range s.noise {
		ratio, ok, err := s.ratio(k)
		if err != nil {
			return 0, err
		}
		if !ok {
			continue
		}
		a, b := s.points.Grad[k], s.points.Grad[s.pairs+k]
		// The scores of q at the two points cancel.
		floats.Add(s.h, a)
		floats.Add(s.h, b)
		bound += ratio
		// What is collected is linear in h and odd in the noise.
		floats.Sub(a, b)
		s.fam.collect(a, e)
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

// evaluate draws noise and evaluates log p at the points. The second of a pair is the
// mirror image of the first in the mean, so that its log q is the same and its score the
// negative.
func (s *stepper) evaluate() {
	for _, e := range s.noise {
		for i := range e {
			e[i] = variate.Normal(s.r)
		}
	}
	s.place(s.noise)
	s.evaluations += 2 * s.pairs
	if s.sub == nil {
		s.points.Gradients(s.target, 2*s.pairs)
		return
	}
	p := s.points
	for i, q := range p.Q {
		p.LogDensity[i], p.Err[i] = s.sub.LogDensityGradTerms(q, s.batch, p.Grad[i])
		p.LogDensity[i] += s.anchor.correct(p.Grad[i])
	}
}

// place fills in points and mirror images.
func (s *stepper) place(noise [][]float64) {
	s.fam.place(noise, s.points.Q[:len(noise)])
	mean := s.fam.params()[:len(s.h)]
	for k, q := range s.points.Q[:len(noise)] {
		image := s.points.Q[len(noise)+k]
		for i, m := range mean {
			image[i] = 2*m - q[i]
		}
	}
}

// ratio is the sum of log p - log q at both points of a pair; ok is false where one of
// them has no density.
func (s *stepper) ratio(k int) (sum float64, ok bool, err error) {
	logq := s.fam.logDensity(s.noise[k])
	for _, i := range []int{k, s.pairs + k} {
		if err := s.points.Err[i]; err != nil {
			if infer.IsReject(err) {
				return 0, false, nil
			}
			return 0, false, err
		}
		ratio := s.points.LogDensity[i] - logq
		sum += ratio
		if all := vec.Sum(s.points.Grad[i]) + ratio; math.IsNaN(all) || math.IsInf(all, 0) {
			return 0, false, nil
		}
	}
	return sum, true, nil
}

// move makes the step that n points have asked for.
func (s *stepper) move(n int) {
	floats.Scale(1/float64(n), s.h)
	s.dir, s.old = s.old, s.dir
	s.fam.covariance(s.h, s.dir)
	square := vec.Dot(s.h, s.dir)
	s.search(vec.Dot(s.h, s.old), square)
	floats.ScaleTo(s.shift, s.rate*cut(square, len(s.h), 1), s.dir)
	s.fam.move(s.shift, s.limit, n)
}

// search adapts the rate to how successive directions lie to each other.
func (s *stepper) search(inner, square float64) {
	s.rate = min(s.rate, s.limit)
	switch c := s.trend.Add(inner, square); {
	case c < -0.5:
		s.rate = max(s.rate*turn, leastRate)
		s.trend = approx.Trend{}
	case c > 0.5:
		s.rate = min(s.rate/turn, s.limit)
		s.trend = approx.Trend{}
	}
}
