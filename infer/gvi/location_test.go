package gvi_test

import (
	"math"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/infertest"
)

const logRoot2Pi = 0.91893853320467274178

// location is x_i ~ normal(theta, sigma), theta ~ normal(m0, s0), with its
// observations apart: it implements infer.Observed, its evaluators infer.Tempered.
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

// NewObservations implements infer.Observed.
func (l location) NewObservations(c float64) (infer.Observations, error) { return observed{l, c}, nil }

type observed struct {
	location
	c float64
}

func (o observed) Len() int { return len(o.x) }

func (o observed) LogTerms(q, l, powers []float64) error {
	for i, v := range o.x {
		d := (v - q[0]) / o.sigma
		l[i] = -d*d/2 - logRoot2Pi - math.Log(o.sigma)
		if powers != nil {
			powers[i] = -(o.c-1)*(logRoot2Pi+math.Log(o.sigma)) - math.Log(o.c)/2
		}
	}
	return nil
}

func (o observed) PullTerms(q, byL, _, grad []float64) error {
	for i, v := range o.x {
		grad[0] += byL[i] * (v - q[0]) / (o.sigma * o.sigma)
	}
	return nil
}
