// This file is the method: options, defaults, and what the run loop asks for.

package mh

import (
	"context"
	"fmt"
	"math"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
)

// The proposals, as the language names them.
const (
	Adaptive = "adaptive" // all real coordinates at once
	Single   = "single"   // one coordinate after the other
)

// Options are the settings of the method.
type Options struct {
	infer.MarkovOptions
	Proposal string  // Adaptive or Single
	StepSize float64 // first s (adaptive) or w (single); 0: found by a search
}

// DefaultOptions are the documented defaults of the language.
func DefaultOptions() Options {
	return Options{MarkovOptions: infer.DefaultMarkovOptions(), Proposal: Adaptive}
}

// Method implements infer.Markov.
type Method struct{ options Options }

// New checks the options and returns the method.
func New(o Options) (*Method, error) {
	if o.Proposal != Adaptive && o.Proposal != Single {
		return nil, fmt.Errorf("mh: proposal must be %q or %q, found %q", Adaptive, Single, o.Proposal)
	}
	if !(o.StepSize >= 0) || math.IsInf(o.StepSize, 0) {
		return nil, fmt.Errorf("mh: step_size must be positive and finite, found %g", o.StepSize)
	}
	return &Method{options: o}, nil
}

// Name implements infer.Method.
func (m *Method) Name() string { return "mh" }

// Run implements infer.Method.
func (m *Method) Run(ctx context.Context, model infer.Model, o infer.Options) (*infer.Posterior, error) {
	return infer.RunMarkov(ctx, model, m, o)
}

// Chains implements infer.Markov.
func (m *Method) Chains() infer.MarkovOptions { return m.options.MarkovOptions }

// Stats implements infer.Markov.
func (m *Method) Stats() []string { return columns[:] }

// Config implements infer.Markov.
func (m *Method) Config() []draws.Entry {
	return []draws.Entry{{
		Name: "algorithm", Value: "mh", Choice: true, Children: []draws.Entry{{
			Name: "mh", Children: []draws.Entry{
				{Name: "proposal", Value: m.options.Proposal, Default: m.options.Proposal == Adaptive},
				{Name: "stepsize", Value: m.options.StepSize, Default: m.options.StepSize == 0},
			},
		}},
	}}
}

// NewKernel implements infer.Markov.
func (m *Method) NewKernel(t infer.Target, warmup int) (infer.Kernel, infer.Tuner, error) {
	scale := m.options.StepSize
	if scale == 0 {
		scale = 1
	}
	k, err := newKernel(t, m.options.Proposal == Single, scale)
	if err != nil {
		return nil, nil, err
	}
	return k, newTuner(k, warmup, m.options.StepSize > 0), nil
}
