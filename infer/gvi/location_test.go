package gvi_test

import (
	"math"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/infertest"
)

const logRoot2Pi = 0.91893853320467274178

// location is x_i ~ normal(theta, sigma), theta ~ normal(m0, s0), with its
// observations apart: it implements infer.Model, its evaluators infer.Tempered
// and infer.Observations.
type location struct {
	*infertest.Model
	x     []float64
	sigma float64
}

func newLocation(x []float64, sigma, m0, s0 float64) location {
	l := location{x: x, sigma: sigma}
	l.Model = infertest.FromParts(1, func(q []float64, beta float64, grad []float64) (prior, lik float64, err error) {
		z := (q[0] - m0) / s0
		prior = -z*z/2 - logRoot2Pi - math.Log(s0)
		g := -z / s0
		for _, v := range x {
			d := (v - q[0]) / sigma
			lik -= d*d/2 + logRoot2Pi + math.Log(sigma)
			g += beta * d / sigma
		}
		if grad != nil {
			grad[0] = g
		}
		return prior, lik, nil
	})
	return l
}

func (l location) NewEvaluator() infer.Evaluator {
	e := l.Model.NewEvaluator()
	return &observed{e, e.(infer.Tempered), l}
}

type observed struct {
	infer.Evaluator
	infer.Tempered
	l location
}

func (o *observed) Dim() int                                { return 1 }
func (o *observed) LogDensity(q []float64) (float64, error) { return o.Evaluator.LogDensity(q) }
func (o *observed) LogDensityGrad(q, g []float64) (float64, error) {
	return o.Evaluator.LogDensityGrad(q, g)
}
func (o *observed) Observations() int { return len(o.l.x) }

func (o *observed) LogTerms(q []float64, c float64, l, powers []float64) error {
	for i, v := range o.l.x {
		d := (v - q[0]) / o.l.sigma
		l[i] = -d*d/2 - logRoot2Pi - math.Log(o.l.sigma)
		if powers != nil {
			powers[i] = -(c-1)*(logRoot2Pi+math.Log(o.l.sigma)) - math.Log(c)/2
		}
	}
	return nil
}

func (o *observed) PullTerms(q []float64, _ float64, byL, _, grad []float64) error {
	for i, v := range o.l.x {
		grad[0] += byL[i] * (v - q[0]) / (o.l.sigma * o.l.sigma)
	}
	return nil
}
