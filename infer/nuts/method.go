// This file is the method: options, defaults, and what the run loop asks for.

package nuts

import (
	"context"
	"fmt"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/infer/hmc"
)

// Options are the settings of the method.
type Options struct {
	infer.MarkovOptions
	hmc.Tuning
	MaxDepth       int     // most doublings of a trajectory, at least 1
	MaxEnergyError float64 // energy error in nats beyond which a trajectory has diverged
}

// DefaultOptions are Stan's.
func DefaultOptions() Options {
	return Options{
		MarkovOptions: infer.DefaultMarkovOptions(), Tuning: hmc.DefaultTuning(),
		MaxDepth: 10, MaxEnergyError: 1000,
	}
}

// Method implements infer.Markov.
type Method struct{ options Options }

// New checks the options and returns the method.
func New(o Options) (*Method, error) {
	if err := o.Validate(); err != nil {
		return nil, fmt.Errorf("nuts: %w", err)
	}
	if o.MaxDepth < 1 || o.MaxDepth > 60 {
		return nil, fmt.Errorf("nuts: max_depth must be from 1 to 60, found %d", o.MaxDepth)
	}
	if !(o.MaxEnergyError > 0) {
		return nil, fmt.Errorf("nuts: the energy bound must be positive, found %g", o.MaxEnergyError)
	}
	return &Method{options: o}, nil
}

// Name implements infer.Method.
func (m *Method) Name() string { return "nuts" }

// Run implements infer.Method.
func (m *Method) Run(ctx context.Context, model infer.Model, o infer.Options) (*infer.Posterior, error) {
	return infer.RunMarkov(ctx, model, m, o)
}

// Chains implements infer.Markov.
func (m *Method) Chains() infer.MarkovOptions { return m.options.MarkovOptions }

// Stats implements infer.Markov.
func (m *Method) Stats() []string { return columns[:] }

// Config implements infer.Markov: CmdStan's "algorithm" tree.
func (m *Method) Config() []draws.Entry {
	o := m.options
	return append(o.Tuning.Config(o.Warmup), draws.Entry{
		Name: "algorithm", Value: "hmc", Default: true, Choice: true, Children: []draws.Entry{{
			Name: "hmc", Children: append([]draws.Entry{{
				Name: "engine", Value: "nuts", Default: true, Choice: true, Children: []draws.Entry{{
					Name: "nuts", Children: []draws.Entry{
						{Name: "max_depth", Value: o.MaxDepth, Default: o.MaxDepth == 10},
					},
				}},
			}}, o.Tuning.ConfigMetric()...),
		}},
	})
}

// NewKernel implements infer.Markov.
func (m *Method) NewKernel(t infer.Target, warmup int) (infer.Kernel, infer.Tuner, error) {
	h, tuner, err := m.options.Tuning.New(t, warmup)
	if err != nil {
		return nil, nil, err
	}
	return NewKernel(h, m.options.MaxDepth, m.options.MaxEnergyError), tuner, nil
}
