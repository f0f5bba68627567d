// This file is the method: options, defaults, the run.

package sgld

import (
	"context"
	"fmt"
	"math"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
)

// The schedules and preconditioners, as the language names them.
const (
	Constant   = "constant"
	Polynomial = "polynomial"
	None       = "none"
	RMSprop    = "rmsprop"
)

// Options are the settings of the method.
type Options struct {
	infer.MarkovOptions
	StepSize       float64 // e, at the start of the schedule; 0: see the package comment
	Batch          int     // terms in each step, at most all of them; 0: a tenth, rounded up
	Schedule       string  // Constant or Polynomial
	Gamma          float64 // of the polynomial schedule, above 0 and at most 1
	Offset         float64 // b of the polynomial schedule, in steps, positive
	Preconditioner string  // None or RMSprop
	Control        bool    // gradients with control variates, where they allow longer steps
}

// DefaultOptions are those of the language.
func DefaultOptions() Options {
	return Options{MarkovOptions: infer.DefaultMarkovOptions(), Schedule: Constant, Gamma: 0.55, Offset: 1000, Preconditioner: None, Control: true}
}

// Method implements infer.Method. It is no infer.Markov: its kernel leaves no target
// unchanged, so wrappers must not make use of it.
type Method struct{ options Options }

// New checks the options and returns the method.
func New(o Options) (*Method, error) {
	switch {
	case !(o.StepSize >= 0) || math.IsInf(o.StepSize, 0):
		return nil, fmt.Errorf("sgld: step_size must be positive and finite, found %g", o.StepSize)
	case o.Batch < 0:
		return nil, fmt.Errorf("sgld: batch must be at least 1, found %d", o.Batch)
	case o.Schedule != Constant && o.Schedule != Polynomial:
		return nil, fmt.Errorf("sgld: schedule must be %q or %q, found %q", Constant, Polynomial, o.Schedule)
	case !(o.Gamma > 0 && o.Gamma <= 1):
		return nil, fmt.Errorf("sgld: gamma must be above 0 and at most 1, found %g", o.Gamma)
	case !(o.Offset > 0) || math.IsInf(o.Offset, 0):
		return nil, fmt.Errorf("sgld: offset must be positive and finite, found %g", o.Offset)
	case o.Preconditioner != None && o.Preconditioner != RMSprop:
		return nil, fmt.Errorf("sgld: preconditioner must be %q or %q, found %q", None, RMSprop, o.Preconditioner)
	case o.StepSize == 0 && o.Warmup == 0:
		return nil, fmt.Errorf("sgld: without warm-up (warmup = 0) there is nothing to find a step size with: give step_size")
	}
	return &Method{o}, nil
}

// Name implements infer.Method.
func (m *Method) Name() string { return "sgld" }

// Run implements infer.Method.
func (m *Method) Run(ctx context.Context, model infer.Model, o infer.Options) (*infer.Posterior, error) {
	return infer.RunMarkov(ctx, model, chains{m}, o)
}

// chains is the method as what the run loop takes.
type chains struct{ *Method }

// Chains implements infer.Markov.
func (m chains) Chains() infer.MarkovOptions { return m.options.MarkovOptions }

// Stats implements infer.Markov.
func (chains) Stats() []string { return columns[:] }

// EstimatesDensity implements infer.Estimator: the log density is that of a minibatch.
func (chains) EstimatesDensity() {}

// Config implements infer.Markov.
func (m chains) Config() []draws.Entry {
	o, def := m.options, DefaultOptions()
	return []draws.Entry{{
		Name: "algorithm", Value: "sgld", Choice: true, Children: []draws.Entry{{
			Name: "sgld", Children: []draws.Entry{
				{Name: "stepsize", Value: o.StepSize, Default: o.StepSize == 0},
				{Name: "batch", Value: o.Batch, Default: o.Batch == 0},
				{Name: "schedule", Value: o.Schedule, Default: o.Schedule == def.Schedule},
				{Name: "gamma", Value: o.Gamma, Default: o.Gamma == def.Gamma},
				{Name: "offset", Value: o.Offset, Default: o.Offset == def.Offset},
				{Name: "preconditioner", Value: o.Preconditioner, Default: o.Preconditioner == def.Preconditioner},
				{Name: "control_variates", Value: o.Control, Default: o.Control == def.Control},
			},
		}},
	}}
}

// NewKernel implements infer.Markov.
func (m chains) NewKernel(t infer.Target, warmup int) (infer.Kernel, infer.Tuner, error) {
	sub, terms, err := infer.Minibatches("sgld", t)
	if err != nil {
		return nil, nil, err
	}
	o, d := m.options, t.Dim()
	size := o.Batch
	if size == 0 {
		size = (terms + 9) / 10
	}
	k := &kernel{target: t, sub: sub, batch: newBatch(terms, size), step: o.StepSize, q: make([]float64, d), grad: make([]float64, d), control: make([]float64, d)}
	if k.step == 0 {
		k.step = firstStep
	}
	if o.Schedule == Polynomial {
		k.decay, k.offset = o.Gamma, o.Offset
	}
	return k, newTuner(k, warmup, o.StepSize > 0, o.Preconditioner == RMSprop, o.Control), nil
}

// firstStep is where no step size could be estimated.
const firstStep = 1e-6
