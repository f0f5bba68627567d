package bread_test

// This file has models with exact answers, and kernels that know their own reversal.

import (
	"context"
	"math"
	"math/rand/v2"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/infer/infertest"
)

// gauss is theta ~ N(0, s0^2), y ~ N(theta, s^2), one of each a coordinate. Its
// simulator draws y with sd fake in place of s.
type gauss struct {
	*infertest.Model
	s0, s, fake float64
	y           observed
}

type observed []float64

func (y observed) Numbers() []float64 { return y }

func newGauss(s0, s, fake float64, y []float64) *gauss {
	logNormal := func(z, sd float64) float64 { return -z*z/(2*sd*sd) - math.Log(sd) - math.Log(2*math.Pi)/2 }
	m := infertest.FromParts(len(y), func(q []float64, beta float64, grad []float64) (prior, lik float64, err error) {
		for i, v := range q {
			prior += logNormal(v, s0)
			lik += logNormal(y[i]-v, s)
			if grad != nil {
				grad[i] = -v/(s0*s0) + beta*(y[i]-v)/(s*s)
			}
		}
		return prior, lik, nil
	})
	m.Prior = func(r *rand.Rand, q []float64) error {
		for i := range q {
			q[i] = s0 * r.NormFloat64()
		}
		return nil
	}
	return &gauss{m, s0, s, fake, y}
}

// moments are mean and variance of coordinate i at beta.
func (g *gauss) moments(i int, beta float64) (mean, variance float64) {
	variance = 1 / (1/(g.s0*g.s0) + beta/(g.s*g.s))
	return variance * beta * g.y[i] / (g.s * g.s), variance
}

func (g *gauss) posterior(r *rand.Rand) []float64 {
	q := make([]float64, g.N)
	for i := range q {
		mean, variance := g.moments(i, 1)
		q[i] = mean + math.Sqrt(variance)*r.NormFloat64()
	}
	return q
}

func (g *gauss) DrawJoint(r *rand.Rand, q []float64) (infer.Dataset, error) {
	y := make(observed, g.N)
	for i := range q {
		q[i] = g.s0 * r.NormFloat64()
		y[i] = q[i] + g.fake*r.NormFloat64()
	}
	return y, nil
}

func (g *gauss) Rebound(y infer.Dataset) (infer.Model, error) {
	return newGauss(g.s0, g.s, g.fake, y.Numbers()), nil
}

func (g *gauss) NewEvaluator() infer.Evaluator {
	e := g.Model.NewEvaluator()
	return &gaussEvaluator{e, e.(infer.Tempered), e.(infer.PriorSampler), g}
}

type gaussEvaluator struct {
	infer.Evaluator
	infer.Tempered
	infer.PriorSampler
	model *gauss
}

func (e *gaussEvaluator) Dim() int                                { return e.Evaluator.Dim() }
func (e *gaussEvaluator) LogDensity(q []float64) (float64, error) { return e.Evaluator.LogDensity(q) }
func (e *gaussEvaluator) LogDensityGrad(q, grad []float64) (float64, error) {
	return e.Evaluator.LogDensityGrad(q, grad)
}

// table is a density on the numbers 0, 1, ... in one coordinate.
func table(prior, loglik []float64) (m *infertest.Model, exact func(r *rand.Rand) []float64) {
	m = infertest.FromParts(1, func(q []float64, _ float64, _ []float64) (float64, float64, error) {
		i := int(q[0])
		return math.Log(prior[i]), loglik[i], nil
	})
	post := make([]float64, len(prior))
	for i, p := range prior {
		post[i] = p * math.Exp(loglik[i])
	}
	m.Prior = func(r *rand.Rand, q []float64) error {
		q[0] = pick(r, prior)
		return nil
	}
	return m, func(r *rand.Rand) []float64 { return []float64{pick(r, post)} }
}

func pick(r *rand.Rand, w []float64) float64 {
	total := 0.0
	for _, v := range w {
		total += v
	}
	u := r.Float64() * total
	for i, v := range w {
		if u -= v; u < 0 {
			return float64(i)
		}
	}
	return float64(len(w) - 1)
}

// A move changes q, given the path that it works on.
type move func(r *rand.Rand, q []float64, path infer.Annealed)

// pull moves a gauss by theta' = m_b + rho (theta - m_b) + sqrt((1-rho^2) v_b) eps; with
// rho = 0 it is a perfect kernel.
func pull(rho float64) move {
	return func(r *rand.Rand, q []float64, path infer.Annealed) {
		e, _ := infer.Capability[*gaussEvaluator](path.Base())
		for i := range q {
			m, v := e.model.moments(i, path.Beta())
			q[i] = m + rho*(q[i]-m) + math.Sqrt((1-rho*rho)*v)*r.NormFloat64()
		}
	}
}

// hop is a Metropolis step to a neighbour among n numbers, on a ring or a line.
func hop(n int, ring bool) move {
	return func(r *rand.Rand, q []float64, path infer.Annealed) {
		to := int(q[0]) + 1
		if r.Float64() < 0.5 {
			to -= 2
		}
		if ring {
			to = (to + n) % n
		}
		if to < 0 || to >= n {
			return
		}
		before, _ := path.LogDensity(q)
		old := q[0]
		q[0] = float64(to)
		if after, _ := path.LogDensity(q); r.Float64() >= math.Exp(after-before) {
			q[0] = old
		}
	}
}

// markov makes a method of a move.
type markov struct{ move move }

func (markov) Name() string { return "test" }
func (markov) Chains() infer.MarkovOptions {
	return infer.MarkovOptions{Chains: 1, Draws: 10, Thin: 1, Init: infer.Init{Radius: 1}}
}
func (markov) Stats() []string       { return nil }
func (markov) Config() []draws.Entry { return nil }
func (m markov) Run(ctx context.Context, model infer.Model, o infer.Options) (*infer.Posterior, error) {
	return infer.RunMarkov(ctx, model, m, o)
}
func (m markov) NewKernel(t infer.Target, _ int) (infer.Kernel, infer.Tuner, error) {
	return &kernel{t, m.move}, infer.Untuned{}, nil
}

type kernel struct {
	t    infer.Target
	move move
}

func (k *kernel) Pair() (forward, reverse infer.Kernel) { return k, k }
func (k *kernel) Start(s *infer.State) (err error) {
	s.LogDensity, err = k.t.LogDensity(s.Q)
	return err
}
func (k *kernel) Step(r *rand.Rand, s *infer.State, _ *infer.Info) error {
	if a, ok := infer.Capability[infer.Annealed](k.t); ok {
		k.move(r, s.Q, a)
	}
	return nil
}

func (g *gauss) DrawData(r *rand.Rand, q []float64) (infer.Dataset, error) {
	y := make(observed, g.N)
	for i := range q {
		y[i] = q[i] + g.fake*r.NormFloat64()
	}
	return y, nil
}
