// This file runs the Gibbs chains.

package gibbsprior

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/seed-12b88e03/ppl/diagnose"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/rng"
	"github.com/seed-12b88e03/ppl/stdlib/variate"
)

// A Chain is the record of one Gibbs chain.
type Chain struct {
	Points   [][]float64 // t_0 from the prior, then one for each fit
	Data     [][]float64 // y_k, from Points[k]; Points[k+1] is the answer to it
	Failures int         // fits that failed; other observations were drawn then
	Cause    error       // of the first failure
}

// tries is how many data sets in a row the method may fail on.
const tries = 20

// A sampler runs a method on data sets of a model.
type sampler struct {
	method  infer.Method
	restart func(q []float64) (infer.Method, error) // nil: no warm start
	model   infer.Simulator                         // that is rebound
	stated  infer.Simulator                         // that simulates
	options infer.Options
	count   *diagnose.Counter // keeps steps for resuming; nil: nothing does
}

func newSampler(o Options, m infer.Model, run infer.Options) (*sampler, error) {
	missing := func(what string) error { return &infer.MissingError{Method: "gibbs_prior", Needs: what} }
	model, ok := m.(infer.Simulator)
	if !ok {
		return nil, missing("a model to simulate from")
	}
	above, err := infer.Stated(o.Method, m)
	if err != nil {
		return nil, err
	}
	stated, ok := above.(infer.Simulator)
	if !ok {
		return nil, missing("a stated prior to simulate from")
	}
	run.Observer, run.SaveWarmup, run.KeepUnconstrained, run.Jobs, run.Seat = nil, false, true, 1, nil
	return &sampler{method: o.Method, restart: o.Restart, model: model, stated: stated, options: run}, nil
}

// at is the sampler for runs at a seat.
func (s *sampler) at(seat *infer.Seat) *sampler {
	own := *s
	own.options.Seat = seat
	return &own
}

// stride separates the replicates of chains.
const stride = 1 << 32

// answer draws observations given q and one point from the method's answer to them.
// replicate counts the fits.
func (s *sampler) answer(ctx context.Context, q []float64, replicate uint64, c *Chain) (y, next []float64, err error) {
	var last error
	for try := range uint64(tries) {
		id := s.options.Replicate + replicate*tries + try
		r := rng.New(s.options.Seed, "gibbs_prior/data", 0, id)
		data, err := s.stated.DrawData(r, q)
		if err != nil {
			return nil, nil, err
		}
		next, err := s.fit(ctx, data, q, id)
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		if err == nil {
			return slices.Clone(data.Numbers()), next, nil
		}
		c.Failures++
		if last = err; c.Cause == nil {
			c.Cause = err
		}
	}
	return nil, nil, fmt.Errorf("the method failed on %d data sets in a row: %w", tries, last)
}

// fit runs the method and draws one point.
func (s *sampler) fit(ctx context.Context, data infer.Dataset, q []float64, id uint64) ([]float64, error) {
	model, err := s.model.Rebound(data)
	if err != nil {
		return nil, err
	}
	method := s.method
	if s.restart != nil {
		if method, err = s.restart(q); err != nil {
			return nil, err
		}
	}
	o := s.options
	o.Replicate = id + 1
	p, err := method.Run(ctx, model, o)
	if err != nil {
		return nil, err
	}
	next, err := draw(p, rng.New(o.Seed, "gibbs_prior/draw", 0, id))
	if err != nil {
		return nil, err
	}
	// An approximation may have mass where the model has none, and no data could follow.
	if _, err := s.stated.DrawData(rng.New(o.Seed, "gibbs_prior/check", 0, id), next); infer.IsReject(err) {
		return nil, err
	}
	return next, nil
}

// draw takes one point of a posterior.
func draw(p *infer.Posterior, r *rand.Rand) ([]float64, error) {
	if a, ok := p.Approximation(); ok {
		q := make([]float64, a.Dim())
		a.Draw(r, q)
		return q, nil
	}
	if len(p.Unconstrained) == 0 || len(p.Unconstrained[0]) == 0 {
		return nil, errors.New("the method gave no draws")
	}
	if parents := p.Resampled(r); parents != nil {
		return p.Unconstrained[0][parents[0][variate.IntN(r, len(parents[0]))]], nil
	}
	if p.Fit != nil { // independent draws
		return p.Unconstrained[0][variate.IntN(r, len(p.Unconstrained[0]))], nil
	}
	return p.Last(0), nil
}

// A step is what a fit gave, as it is kept for resuming.
type step struct {
	Data     diagnose.Floats `json:"data"`
	Next     diagnose.Floats `json:"next"`
	Failures int             `json:"failures,omitempty"`
	Cause    string          `json:"cause,omitempty"`
}

// step is answer, unless the step of that name is there already.
func (s *sampler) step(ctx context.Context, name string, q []float64, replicate uint64, c *Chain) (y, next []float64, err error) {
	done, err := diagnose.Part(s.count, name, func() (step, error) {
		var own Chain
		y, next, err := s.answer(ctx, q, replicate, &own)
		out := step{Data: y, Next: next, Failures: own.Failures}
		if own.Cause != nil {
			out.Cause = own.Cause.Error()
		}
		return out, err
	})
	c.Failures += done.Failures
	if c.Cause == nil && done.Cause != "" {
		c.Cause = errors.New(done.Cause)
	}
	return done.Data, done.Next, err
}

// prior draws a point from the stated prior.
func (s *sampler) prior(purpose rng.Purpose, i int) ([]float64, error) {
	q := make([]float64, s.stated.Dim())
	_, err := s.stated.DrawJoint(rng.New(s.options.Seed, purpose, uint64(i), s.options.Replicate), q)
	return q, err
}

// chain runs one chain. When ctx ends it holds the steps so far.
func (s *sampler) chain(ctx context.Context, index, steps int, done func([]float64) error) (*Chain, error) {
	q, err := s.prior("gibbs_prior/start", index)
	if err != nil {
		return nil, err
	}
	c := &Chain{Points: [][]float64{q}}
	for k := range steps {
		y, next, err := s.step(ctx, fmt.Sprintf("chain %d, step %d", index+1, k+1), c.Points[k], uint64(index+1)*stride+uint64(k), c)
		if ctx.Err() != nil {
			return c, nil
		}
		if err != nil {
			return c, err
		}
		c.Data, c.Points = append(c.Data, y), append(c.Points, next)
		if err := done(next); err != nil {
			return c, err
		}
	}
	return c, nil
}
