// This file holds the options, and gibbs_prior as a method.

package gibbsprior

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/infer/rng"
)

// Options are the settings of method and diagnosis.
type Options struct {
	Method infer.Method
	// Restart is the method started at a point, for warm starts; nil: none.
	Restart func(q []float64) (infer.Method, error)
	Steps   int // fits in each chain, at least 1
	Chains  int // at least 1
	// Data has the rows of the method hold the data that each step's answer is to, behind the model's columns.
	Data bool
	// Spread is how far chains start from the mean of the stated prior, as a multiple of a draw's distance; 1: at draws from it.
	Spread float64
	// Quantities makes, for one goroutine, what computes the numbers to compare at a
	// point; nil: the model's columns.
	Quantities func(m infer.Model) (names []string, at func(q, out []float64) error, err error)
	// Parameters are those whose prior is judged, as Quantities; nil: the quantities.
	Parameters   func(m infer.Model) (names []string, at func(q, out []float64) error, err error)
	Statistics   int     // how many of the quantities, the last ones, were asked for by name
	Bad, Warning float64 // adjusted p-values below which the verdict is that
}

// DefaultOptions are the documented defaults of the language, around a method.
func DefaultOptions(m infer.Method) Options {
	return Options{Method: m, Steps: 1000, Chains: 4, Spread: 1, Bad: 0.001, Warning: 0.01}
}

func (o *Options) validate() error {
	switch {
	case o.Method == nil:
		return errors.New("gibbs_prior: there is no method to judge")
	case o.Steps < 1 || o.Chains < 1:
		return fmt.Errorf("gibbs_prior: steps and chains must be at least 1, found %d and %d", o.Steps, o.Chains)
	case !(o.Spread > 0):
		return fmt.Errorf("gibbs_prior: spread must be positive, found %g", o.Spread)
	case !(o.Bad > 0 && o.Bad < 1 && o.Warning > 0 && o.Warning < 1):
		return fmt.Errorf("gibbs_prior: bad and warning must lie between 0 and 1, found %g and %g", o.Bad, o.Warning)
	}
	if o.Quantities == nil {
		o.Quantities = columns
	}
	if o.Parameters == nil {
		o.Parameters = o.Quantities
	}
	return nil
}

// columns are the quantities of the model's rows.
func columns(m infer.Model) ([]string, func(q, out []float64) error, error) {
	e := m.NewEvaluator()
	r := rng.New(0, rng.Quantities, 0, 0)
	return m.Columns(), func(q, out []float64) error { return e.Write(q, r, out) }, nil
}

// Method implements infer.Method: draws from the Gibbs prior.
type Method struct{ options Options }

// New checks the options and returns the method.
func New(o Options) (*Method, error) {
	if err := o.validate(); err != nil {
		return nil, err
	}
	return &Method{o}, nil
}

// Name implements infer.Method.
func (m *Method) Name() string { return "gibbs_prior" }

// Run implements infer.Method. The rows are the steps of the chains; lp__ is the log
// density of the model under the data that it has, which the draws do not depend on.
func (m *Method) Run(ctx context.Context, model infer.Model, o infer.Options) (*infer.Posterior, error) {
	s, err := newSampler(m.options, model, o)
	if err != nil {
		return nil, err
	}
	columns := s.stated.Columns()
	var at []int
	if m.options.Data {
		names, places, err := s.layout()
		if err != nil {
			return nil, fmt.Errorf("gibbs_prior: %w", err)
		}
		columns, at = slices.Concat(columns, names), places
	}
	plan := draws.Plan{Method: m.Name(), Chains: m.options.Chains, Draws: m.options.Steps, Thin: 1, Seed: o.Seed, Columns: columns,
		Config: []draws.Entry{{Name: "algorithm", Value: m.Name(), Choice: true, Children: []draws.Entry{{
			Name: m.Name(), Children: []draws.Entry{{Name: "method", Value: m.options.Method.Name()}},
		}}}}}
	p := &infer.Posterior{Plan: plan, Draws: draws.New(plan.Chains, nil, plan.Columns), Chains: make([]infer.ChainReport, plan.Chains)}
	if o.KeepUnconstrained {
		p.Unconstrained = make([][][]float64, plan.Chains)
	}
	outer, journal := infer.JournalOf(o.Observer)
	if err := outer.Begin(plan); err != nil {
		return nil, err
	}
	began := time.Now()
	chains, err := s.begin(plan.Chains, m.options.Spread)
	if err != nil {
		return p, fmt.Errorf("gibbs_prior: %w", err)
	}
	write := make([]*writer, plan.Chains)
	for c := range write {
		write[c] = m.writer(s, p, outer, journal, c)
		write[c].at = at
		if err := write[c].resume(chains[c]); err != nil {
			return p, fmt.Errorf("gibbs_prior: %w", err)
		}
	}
	failed, err := s.chains(ctx, chains, plan.Draws, o.Jobs, func(c int, y, q []float64) error { return write[c].step(y, q) })
	if err != nil {
		return p, fmt.Errorf("gibbs_prior: %w", err)
	}
	for c, chain := range chains {
		if e := write[c].close(); failed[c] == nil {
			failed[c] = e
		}
		if failed[c] != nil && err == nil {
			err = fmt.Errorf("gibbs_prior: %w", failed[c])
		}
		p.Chains[c].Init = chain.Points[0][:s.answers.Dim()]
		p.Chains[c].End = draws.ChainEnd{SamplingTime: time.Since(began), Incomplete: len(chain.Data) < plan.Draws}
		if err == nil {
			err = outer.End(c, p.Chains[c].End)
		}
	}
	if p.Incomplete = ctx.Err() != nil; p.Incomplete {
		p.Cause = context.Cause(ctx)
	}
	return p, err
}

var _ infer.Method = (*Method)(nil)
