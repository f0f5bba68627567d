// This file runs the Gibbs chains.

package gibbsprior

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/seed-12b88e03/ppl/diagnose"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/rng"
	"github.com/seed-12b88e03/ppl/stdlib/variate"
)

// A Chain is the record of one Gibbs chain.
type Chain struct {
	Points     [][]float64 // t_0 from the prior, then one for each fit
	Data       [][]float64 // y_k, from Points[k]; Points[k+1] is the answer to it
	Failures   int         // fits that failed; other observations were drawn then
	Unfinished int         // fits whose optimiser did not converge
	Cause      error       // of the first failure
}

// tries is how many data sets in a row the method may fail on.
const tries = 20

// A sampler runs a method on data sets of a model.
type sampler struct {
	method  infer.Method
	restart func(q []float64) (infer.Method, error) // nil: no warm start
	model   infer.Simulator                         // that is rebound
	answers infer.Model                             // the one whose posterior the method gives
	stated  infer.Simulator                         // that simulates, with all parameters as coordinates
	options infer.Options
	count   *diagnose.Counter // keeps steps for resuming; nil: nothing does
	share   infer.Share       // of the units: chains, then triples, then pointwise fits
}

func newSampler(o Options, m infer.Model, run infer.Options) (*sampler, error) {
	missing := func(what string) error { return &infer.MissingError{Method: "gibbs_prior", Needs: what} }
	model, ok := m.(infer.Simulator)
	if !ok {
		return nil, missing("a model to simulate from")
	}
	above, err := infer.ForModel(o.Method, m)
	if err != nil {
		return nil, err
	}
	stated, ok := above.(infer.Simulator)
	if !ok {
		return nil, missing("a stated prior to simulate from")
	}
	if c, ok := above.(infer.Completed); ok {
		stated = c.Whole()
	}
	share := run.Share
	run.Share = infer.Share{}
	run.Observer, run.SaveWarmup, run.KeepUnconstrained, run.Jobs = nil, false, true, 1
	return &sampler{method: o.Method, restart: o.Restart, model: model, answers: above, stated: stated, options: run, share: share}, nil
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
		if infer.IsReject(err) || infer.IsUndrawable(err) {
			last = err
			continue // others may be drawn
		}
		if err != nil {
			return nil, nil, err
		}
		next, err := s.fit(ctx, data, q, id, c)
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
	return nil, nil, &FailsError{last}
}

// A FailsError is of a method that fails on all data sets given the same parameters.
type FailsError struct{ Last error }

// Error implements error.
func (e *FailsError) Error() string {
	return fmt.Sprintf("the method failed on %d data sets in a row: %v", tries, e.Last)
}

// Unwrap returns the last failure.
func (e *FailsError) Unwrap() error { return e.Last }

// fit runs the method and draws one point.
func (s *sampler) fit(ctx context.Context, data infer.Dataset, q []float64, id uint64, c *Chain) ([]float64, error) {
	model, err := s.model.Rebound(data)
	if err != nil {
		return nil, err
	}
	method := s.method
	if s.restart != nil {
		if method, err = s.restart(q[:s.model.Dim()]); err != nil {
			return nil, err
		}
	}
	o := s.options
	o.Replicate = id + 1
	p, err := method.Run(ctx, model, o)
	if err != nil {
		return nil, err
	}
	if p.Fit != nil && !p.Fit.Converged {
		c.Unfinished++
	}
	r := rng.New(o.Seed, "gibbs_prior/draw", 0, id)
	next, row, err := draw(p, r)
	if err != nil {
		return nil, err
	}
	if next, err = s.complete(model, next, row, r); err != nil {
		return nil, err
	}
	// An approximation may have mass where the model has none, and no data could follow.
	if _, err := s.stated.DrawData(rng.New(o.Seed, "gibbs_prior/check", 0, id), next); infer.IsReject(err) || infer.IsUndrawable(err) {
		return nil, err
	}
	return next, nil
}

// complete adds the parameters that were summed out to a point of a model: those of the
// row that goes with it, or else a draw given the point and the model's data.
func (s *sampler) complete(m infer.Model, q, row []float64, r *rand.Rand) ([]float64, error) {
	c, ok := m.(infer.Completed)
	if !ok || len(q) == s.stated.Dim() {
		return q, nil
	}
	if row == nil {
		row = make([]float64, len(m.Columns()))
		if err := m.NewEvaluator().Write(q, r, row); err != nil && !infer.IsReject(err) {
			return nil, err
		}
	}
	return c.Complete(q, row), nil
}

// draw takes one point of a posterior; its row of the model's columns is nil where the
// point is a draw from a density.
func draw(p *infer.Posterior, r *rand.Rand) (q, row []float64, err error) {
	if a, ok := p.Approximation(); ok {
		q := make([]float64, a.Dim())
		a.Draw(r, q)
		return q, nil, nil
	}
	if len(p.Unconstrained) == 0 || len(p.Unconstrained[0]) == 0 {
		return nil, nil, errors.New("the method gave no draws")
	}
	i := len(p.Unconstrained[0]) - 1
	if parents := p.Resampled(r); parents != nil {
		i = parents[0][variate.IntN(r, len(parents[0]))]
	} else if p.Fit != nil { // independent draws
		i = variate.IntN(r, len(p.Unconstrained[0]))
	}
	if i < p.Draws.Len(0) {
		row = p.Draws.Row(0, i)[len(p.Draws.Names())-len(p.Draws.Columns()):]
	}
	return p.Unconstrained[0][i], row, nil
}

// A step is what a fit gave, as it is kept for resuming.
type step struct {
	Data       diagnose.Floats `json:"data"`
	Next       diagnose.Floats `json:"next"`
	Failures   int             `json:"failures,omitempty"`
	Unfinished int             `json:"unfinished,omitempty"`
	Cause      string          `json:"cause,omitempty"`
}

// step is answer, unless the step of that name is there already.
func (s *sampler) step(ctx context.Context, name string, q []float64, replicate uint64, c *Chain) (y, next []float64, err error) {
	whole := func(k step) bool { return len(k.Next) == s.stated.Dim() && k.Failures >= 0 && k.Unfinished >= 0 }
	done, err := diagnose.Part(s.count, name, whole, func() (step, error) {
		var own Chain
		y, next, err := s.answer(ctx, q, replicate, &own)
		out := step{Data: y, Next: next, Failures: own.Failures, Unfinished: own.Unfinished}
		if own.Cause != nil {
			out.Cause = own.Cause.Error()
		}
		return out, err
	})
	c.Failures += done.Failures
	c.Unfinished += done.Unfinished
	if c.Cause == nil && done.Cause != "" {
		c.Cause = errors.New(done.Cause)
	}
	return done.Data, done.Next, err
}

// prior draws a point from the stated prior.
func (s *sampler) prior(purpose rng.Purpose, i int) ([]float64, error) {
	q := make([]float64, s.stated.Dim())
	_, _, err := diagnose.Simulate(s.stated, rng.New(s.options.Seed, purpose, uint64(i), s.options.Replicate), q)
	return q, err
}

// turn is how many steps a chain takes before it is the next one's turn.
const turn = 5

// centreDraws is how many draws of the stated prior its mean is taken over, where chains start further from it.
const centreDraws = 100

// begin makes n chains without steps, from draws of the stated prior, or from so many times as far from its mean.
func (s *sampler) begin(n int, spread float64) ([]*Chain, error) {
	centre := make([]float64, s.answers.Dim())
	for i := range centreDraws {
		if spread == 1 {
			break
		}
		q, err := s.prior("gibbs_prior/centre", i)
		if err != nil {
			return nil, err
		}
		for k := range centre {
			centre[k] += q[k] / centreDraws
		}
	}
	all := make([]*Chain, n)
	for i := range all {
		q, err := s.outlying(i, centre, spread)
		if err != nil {
			return nil, err
		}
		all[i] = &Chain{Points: [][]float64{q}}
	}
	return all, nil
}

// outlying is the start of chain i: a draw of the stated prior, taken away from its mean, so far that data can still be drawn there.
func (s *sampler) outlying(i int, centre []float64, spread float64) ([]float64, error) {
	q, err := s.prior("gibbs_prior/start", i)
	if err != nil || spread == 1 {
		return q, err
	}
	for ; ; spread = 1 + (spread-1)/2 {
		far := slices.Clone(q)
		for k, c := range centre {
			far[k] = c + float64(spread*(q[k]-c))
		}
		_, err := s.stated.DrawData(rng.New(s.options.Seed, "gibbs_prior/outlying", uint64(i), s.options.Replicate), far)
		if err == nil || !infer.IsReject(err) && !infer.IsUndrawable(err) {
			return far, err
		}
		if math.Abs(spread-1) < 0.01 {
			return q, nil
		}
	}
}

// layout is how simulated data are shown in columns.
func (s *sampler) layout() (names []string, at []int, err error) {
	y, _, err := diagnose.Simulate(s.stated, rng.New(s.options.Seed, "gibbs_prior/layout", 0, s.options.Replicate), make([]float64, s.stated.Dim()))
	if err != nil {
		return nil, nil, err
	}
	shown, ok := y.(interface{ Layout() ([]string, []int) })
	if !ok {
		return nil, nil, &infer.MissingError{Method: "gibbs_prior with data", Needs: "names of its data"}
	}
	names, at = shown.Layout()
	return names, at, nil
}

// chains runs chains, a few steps of each in turn, so that they are about equally long
// whenever ctx ends. done is told of each step; an error of it or of a fit ends that chain,
// which holds the steps so far.
func (s *sampler) chains(ctx context.Context, all []*Chain, steps, jobs int, done func(chain int, y, q []float64) error) (failed []error, err error) {
	failed = make([]error, len(all))
	for from := 0; from < steps && ctx.Err() == nil; from += turn {
		err := infer.Each(ctx, jobs, len(all), func(ctx context.Context, i int) error {
			if failed[i] == nil && s.share.Has(i) {
				failed[i] = s.extend(ctx, all[i], i, min(from+turn, steps), done)
			}
			return nil
		})
		if err != nil {
			return failed, err
		}
	}
	return failed, nil
}

// extend makes a chain so many steps long, or as long as it is when ctx ends.
func (s *sampler) extend(ctx context.Context, c *Chain, index, steps int, done func(chain int, y, q []float64) error) error {
	for k := len(c.Data); k < steps; k++ {
		y, next, err := s.step(ctx, fmt.Sprintf("chain %d, step %d", index+1, k+1), c.Points[k], uint64(index+1)*stride+uint64(k), c)
		if ctx.Err() != nil {
			return nil
		}
		if err != nil {
			return err
		}
		c.Data, c.Points = append(c.Data, y), append(c.Points, next)
		if err := done(index, y, next); err != nil {
			return err
		}
	}
	return nil
}
