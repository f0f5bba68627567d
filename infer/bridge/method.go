// This file is the method: options, defaults, and the draws that it bridges to.

package bridge

import (
	"context"
	"errors"
	"fmt"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/anneal"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/infer/rng"
)

// Options are the settings of the method.
type Options struct {
	Method infer.Method // whose draws are used
	Settings
}

// DefaultOptions are the documented defaults of the language, around a method.
func DefaultOptions(m infer.Method) Options {
	return Options{Method: m, Settings: Settings{Iterations: 1000, Tolerance: 1e-10}}
}

// Method implements infer.Method: the posterior of another method with its
// evidence.
type Method struct{ options Options }

// New checks the options and returns the method.
func New(o Options) (*Method, error) {
	var err error
	switch {
	case o.Method == nil:
		err = errors.New("a method must give its draws")
	case o.Iterations < 1:
		err = fmt.Errorf("iterations must be at least 1, found %d", o.Iterations)
	case !(o.Tolerance > 0):
		err = fmt.Errorf("tolerance must be positive, found %g", o.Tolerance)
	}
	if err != nil {
		return nil, fmt.Errorf("bridge: %w", err)
	}
	return &Method{options: o}, nil
}

// Name implements infer.Method.
func (m *Method) Name() string { return "bridge" }

// Run implements infer.Method. The observer sees the run of the method inside.
// A run cut short has an estimate if there are draws enough for one. Where there can be
// none, the draws are kept and the posterior says why.
func (m *Method) Run(ctx context.Context, model infer.Model, o infer.Options) (*infer.Posterior, error) {
	if model.Dim() == 0 {
		return m.constant(ctx, model, o)
	}
	stated, err := m.ForModel(model)
	if err != nil {
		return nil, err
	}
	t, ok := infer.Capability[infer.Tempered](stated.NewEvaluator())
	if !ok {
		return nil, &infer.MissingError{Method: m.Name(), Needs: "its log density with all constants"}
	}
	inner := o
	inner.KeepUnconstrained = true
	post, err := m.options.Method.Run(ctx, model, inner)
	if err != nil {
		return post, err
	}
	points := post.Unconstrained
	if !o.KeepUnconstrained {
		post.Unconstrained = nil
	}
	// The draws are there: finishing takes a moment, so ctx no longer counts.
	ctx = context.WithoutCancel(ctx)
	err = infer.Guarded(func() error {
		e, err := m.estimate(ctx, post, points, t, o)
		if err == nil {
			post.LogEvidence = &e
		}
		return err
	})
	if _, ok := errors.AsType[*infer.PanicError](err); ok {
		return post, fmt.Errorf("bridge: %w", err)
	}
	post.NoEvidence = err
	return post, nil
}

// ForModel implements infer.ModelAdapter: the evidence is that of the model whose posterior the
// draws are from.
func (m *Method) ForModel(model infer.Model) (infer.Model, error) {
	return infer.ForModel(m.options.Method, model)
}

// constant adds the exact evidence of a model without parameters.
func (m *Method) constant(ctx context.Context, model infer.Model, o infer.Options) (*infer.Posterior, error) {
	post, err := m.options.Method.Run(ctx, model, o)
	if err != nil {
		return post, err
	}
	exact, err := anneal.Constant(ctx, m.Name(), model, infer.Options{}, draws.Plan{})
	if err != nil {
		return post, err
	}
	post.LogEvidence = exact.LogEvidence
	return post, nil
}

// estimate is the evidence from what the method gave: the density of an approximation, or
// draws of the posterior.
func (m *Method) estimate(ctx context.Context, post *infer.Posterior, points [][][]float64, t infer.Tempered, o infer.Options) (infer.Estimate, error) {
	if q, ok := post.Approximation(); ok {
		return m.fromApproximation(ctx, q, t, post.Draws.Total(), o)
	}
	equal := points
	if parents := post.Resampled(rng.New(o.Seed, "bridge/resample", 0, o.Replicate)); parents != nil {
		equal = make([][][]float64, len(points))
		for c, list := range parents {
			for _, i := range list {
				equal[c] = append(equal[c], points[c][i])
			}
		}
	}
	if len(equal) == 0 {
		return infer.Estimate{}, ErrTooFew
	}
	return Estimate(ctx, t, continuous(equal, t.Dim()), m.options.Settings, rng.New(o.Seed, "bridge/proposal", 0, o.Replicate))
}

// continuous drops the whole-number coordinates, which come last, of methods
// that sample discrete parameters: what is left are draws of the posterior with
// these summed out, which is what t gives.
func continuous(points [][][]float64, dim int) [][][]float64 {
	out := make([][][]float64, len(points))
	for c, chain := range points {
		for _, q := range chain {
			out[c] = append(out[c], q[:dim])
		}
	}
	return out
}

var _ infer.Method = (*Method)(nil)
