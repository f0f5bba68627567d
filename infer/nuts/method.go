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

	// The greatest range of energies within a step of the trajectory, in nats, and how often its leapfrog steps may
	// be halved for that. No halvings make the plain sampler.
	StepError   float64
	MaxHalvings int
	// Walnuts divides steps in warm-up, too; Delta is then the share of steps that need not be divided. Without it steps are
	// divided in sampling alone.
	Walnuts bool
}

// DefaultOptions are Stan's.
func DefaultOptions() Options {
	return Options{
		MarkovOptions: infer.DefaultMarkovOptions(), Tuning: hmc.DefaultTuning(),
		MaxDepth: 10, MaxEnergyError: 1000,
	}
}

// WalnutsOptions are the documented defaults of walnuts.
func WalnutsOptions() Options {
	o := DefaultOptions()
	o.StepError, o.MaxHalvings, o.Walnuts = 0.5, 8, true
	return o
}

// Method implements infer.Markov.
type Method struct{ options Options }

// New checks the options and returns the method.
func New(o Options) (*Method, error) {
	m := &Method{options: o}
	err := o.Validate()
	switch {
	case err != nil:
	case o.MaxDepth < 1 || o.MaxDepth > 60:
		err = fmt.Errorf("max_depth must be from 1 to 60, found %d", o.MaxDepth)
	case !(o.MaxEnergyError > 0):
		err = fmt.Errorf("the energy bound must be positive, found %g", o.MaxEnergyError)
	case o.MaxHalvings < 0 || o.MaxHalvings > 20:
		err = fmt.Errorf("max_halvings must be from 0 to 20, found %d", o.MaxHalvings)
	case o.MaxHalvings > 0 && !(o.StepError > 0 && o.StepError <= o.MaxEnergyError):
		err = fmt.Errorf("max_error must be above 0 and at most %g, found %g", o.MaxEnergyError, o.StepError)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", m.Name(), err)
	}
	return m, nil
}

// Name implements infer.Method.
func (m *Method) Name() string {
	if m.options.Walnuts {
		return "walnuts"
	}
	return "nuts"
}

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
	return o.Tuning.Config(o.Warmup, m.Name(), !o.Walnuts, m.configTrajectory()...)
}

// configTrajectory are the entries of the engine.
func (m *Method) configTrajectory() []draws.Entry {
	o := m.options
	out := []draws.Entry{{Name: "max_depth", Value: o.MaxDepth, Default: o.MaxDepth == 10}}
	if o.Walnuts {
		d := WalnutsOptions()
		out = append(out, draws.Entry{Name: "max_error", Value: o.StepError, Default: o.StepError == d.StepError},
			draws.Entry{Name: "max_halvings", Value: o.MaxHalvings, Default: o.MaxHalvings == d.MaxHalvings})
	}
	return out
}

// NewKernel implements infer.Markov.
func (m *Method) NewKernel(t infer.Target, warmup int) (infer.Kernel, infer.Tuner, error) {
	h, tuner, err := m.options.Tuning.New(t, warmup)
	if err != nil {
		return nil, nil, err
	}
	k := NewKernel(h, m.options.MaxDepth, m.options.MaxEnergyError)
	switch n := m.options.MaxHalvings; {
	case n > 0 && m.options.Walnuts:
		k.Divide(n, m.options.StepError)
	case n > 0:
		k.DivideSampling(n, m.options.StepError)
	}
	return k, tuner, nil
}
