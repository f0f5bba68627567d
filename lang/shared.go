package lang

// This file runs bindings once that several methods use.

import (
	"context"
	"sync"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/lang/check"
)

// A Shared keeps the posteriors of bindings, so that a binding is run once, whether it
// is asked for by itself or by a method that has it inside. It belongs to one model and
// one set of RunOptions, and may be used from several goroutines.
type Shared struct {
	mu   sync.Mutex
	uses map[string]bool // bindings that stand inside others
	runs map[string]*sharedRun
}

// Share prepares methods for running one after the other.
func Share(methods []*Method) *Shared {
	s := &Shared{uses: map[string]bool{}, runs: map[string]*sharedRun{}}
	for _, m := range methods {
		for c := m.checked.Inner; c != nil; c = c.Inner {
			if c.Binding != "" {
				s.uses[c.Binding] = true
			}
		}
	}
	return s
}

// wrap makes a binding's method one that runs once; others come back as they are.
func (s *Shared) wrap(c *check.CheckedMethod, m infer.Method) infer.Method {
	if s == nil || c.Binding == "" {
		return m
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	key := c.Binding + " = " + methodText(c)
	if s.runs[key] == nil {
		s.runs[key] = &sharedRun{}
	}
	return shared{m, s.runs[key], s.uses[c.Binding]}
}

// A sharedRun is the one run of a binding.
type sharedRun struct {
	mu   sync.Mutex
	post *infer.Posterior // nil: not run yet
}

// shared is a method that is run once; later runs give the same posterior.
type shared struct {
	infer.Method
	run  *sharedRun
	keep bool // others will want the unconstrained draws
}

// Run implements infer.Method.
func (m shared) Run(ctx context.Context, model infer.Model, o infer.Options) (*infer.Posterior, error) {
	m.run.mu.Lock()
	defer m.run.mu.Unlock()
	if p := m.run.post; p != nil && (p.Unconstrained != nil || !o.KeepUnconstrained) {
		again := *p
		return &again, replay(o.Observer, p)
	}
	o.KeepUnconstrained = o.KeepUnconstrained || m.keep
	if o.Leg != nil { // a part of a run
		return m.Method.Run(ctx, model, o)
	}
	p, err := m.Method.Run(ctx, model, o)
	if err != nil {
		return p, err
	}
	kept := *p // methods that wrap this one change fields of its posterior, not what they point to
	m.run.post = &kept
	return p, nil
}

// Unwrap returns the method itself.
func (m shared) Unwrap() infer.Method { return m.Method }

// replay shows an observer a run that is over. Draws of warm-up are gone.
func replay(o infer.Observer, p *infer.Posterior) error {
	if o == nil {
		return nil
	}
	plan := p.Plan
	plan.SaveWarmup = false
	if plan.MostDraws > 0 {
		plan.Warmup, plan.Draws = plan.MostWarmup, plan.MostDraws
	}
	if err := o.Begin(plan); err != nil {
		return err
	}
	stats := 1 + len(plan.Stats)
	for c, chain := range p.Chains {
		n := p.Draws.Len(c)
		if n == 0 && chain.End.Incomplete {
			continue
		}
		if err := o.Adapted(c, chain.Adaptation); err != nil {
			return err
		}
		for i := range n {
			row := p.Draws.Row(c, i)
			if err := o.Draw(draws.Row{Chain: c, Iteration: i, LogDensity: row[0], Stats: row[1:stats], Values: row[stats:]}); err != nil {
				return err
			}
		}
		if err := o.End(c, chain.End); err != nil {
			return err
		}
	}
	return nil
}

// seeded is a method inside another with a seed of its own.
type seeded struct {
	infer.Method
	seed uint64
}

// Run implements infer.Method.
func (m seeded) Run(ctx context.Context, model infer.Model, o infer.Options) (*infer.Posterior, error) {
	o.Seed = m.seed
	return m.Method.Run(ctx, model, o)
}

// Unwrap returns the method itself.
func (m seeded) Unwrap() infer.Method { return m.Method }
