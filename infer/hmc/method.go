// This file is the method "hmc": options, defaults, and what the run loop asks
// for.

package hmc

import (
	"context"
	"fmt"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
)

// Options are the settings of the method.
type Options struct {
	infer.MarkovOptions
	Tuning
	Leapfrogs      int     // mean number of leapfrog steps of a trajectory, at least 1
	MaxEnergyError float64 // energy error in nats beyond which a trajectory is called divergent
}

// DefaultOptions are the documented defaults of the language.
func DefaultOptions() Options {
	return Options{
		MarkovOptions: infer.DefaultMarkovOptions(), Tuning: DefaultTuning(),
		Leapfrogs: 10, MaxEnergyError: 1000,
	}
}

// Method is static Hamiltonian Monte Carlo. It implements infer.Markov.
type Method struct{ options Options }

// New checks the options and returns the method.
func New(o Options) (*Method, error) {
	if err := o.Validate(); err != nil {
		return nil, fmt.Errorf("hmc: %w", err)
	}
	if o.Leapfrogs < 1 {
		return nil, fmt.Errorf("hmc: leapfrogs must be at least 1, found %d", o.Leapfrogs)
	}
	if !(o.MaxEnergyError > 0) {
		return nil, fmt.Errorf("hmc: the energy bound must be positive, found %g", o.MaxEnergyError)
	}
	return &Method{options: o}, nil
}

// Name implements infer.Method.
func (m *Method) Name() string { return "hmc" }

// Run implements infer.Method.
func (m *Method) Run(ctx context.Context, model infer.Model, o infer.Options) (*infer.Posterior, error) {
	return infer.RunMarkov(ctx, model, m, o)
}

// Chains implements infer.Markov.
func (m *Method) Chains() infer.MarkovOptions { return m.options.MarkovOptions }

// Stats implements infer.Markov.
func (m *Method) Stats() []string { return columns[:] }

// Config implements infer.Markov: CmdStan's "algorithm" tree, with the number
// of steps in place of the integration time.
func (m *Method) Config() []draws.Entry {
	o := m.options
	return o.Tuning.Config(o.Warmup, "static", false, draws.Entry{Name: "leapfrogs", Value: o.Leapfrogs, Default: o.Leapfrogs == 10})
}

// NewKernel implements infer.Markov.
func (m *Method) NewKernel(t infer.Target, warmup int) (infer.Kernel, infer.Tuner, error) {
	h, tuner, err := m.options.Tuning.New(t, warmup)
	if err != nil {
		return nil, nil, err
	}
	return NewKernel(h, m.options.Leapfrogs, m.options.MaxEnergyError), tuner, nil
}
