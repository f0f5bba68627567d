// This file runs the chains.

package ais

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"sync"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/anneal"
)

// Chain is what a forward chain gives.
type Chain struct {
	LogWeight   float64   // log of the importance weight; a stochastic lower bound on log p(y)
	Q           []float64 // its last state
	Prior       float64   // log prior there
	Likelihood  float64   // log likelihood there
	Interrupted bool      // it did not get to its end; the rest means nothing
}

// Forward runs independent chains along betas; the stream of chain i is
// stream(i). trace, if not nil, is told of every step of every chain, from
// several goroutines. When the pool's context ends, chains that were not done
// are marked and there is no error.
func Forward(ctx context.Context, pool *anneal.WorkerPool, n int, betas []float64, stream func(i int) *rand.Rand, trace *Trace) ([]Chain, error) {
	chains := make([]Chain, n)
	for i := range chains {
		chains[i].Interrupted = true
	}
	err := pool.Each(n, func(m *anneal.Mover, i int) error {
		c := &chains[i]
		r := stream(i)
		q := make([]float64, m.Source.Dim())
		if err := m.Source.DrawPrior(r, q); err != nil {
			return err
		}
		var err error
		if c.LogWeight, err = m.Forward(r, q, betas, trace.hook(i)); err != nil {
			return err
		}
		c.Q = slices.Clone(m.State.Q)
		if c.Prior, c.Likelihood, err = m.Path.Parts(c.Q); err != nil {
			return err
		}
		c.Interrupted = false
		trace.ended()
		return nil
	})
	if err != nil && ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		err = nil
	}
	return chains, err
}

// Trace collects acceptance along the path: by step, then by chain, so that the
// average does not depend on the order in which chains ran.
type Trace struct {
	accept [][]float64
	done   func() // called after each chain, one call at a time; may be nil
	mu     sync.Mutex
}

// NewTrace has room for that many chains of n steps. done, which may be nil, is
// called after each chain, never twice at the same time.
func NewTrace(chains, n int, done func()) *Trace {
	t := &Trace{accept: make([][]float64, n), done: done}
	for i := range t.accept {
		t.accept[i] = make([]float64, chains)
	}
	return t
}

func (t *Trace) hook(chain int) anneal.Hook {
	if t == nil {
		return nil
	}
	return func(i int, _ float64, m *anneal.Mover) { t.accept[i-1][chain] = m.Info.AcceptStat }
}

func (t *Trace) ended() {
	if t == nil || t.done == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.done()
}

// Report averages over the chains that were not interrupted.
func (t *Trace) Report(plan *Plan, betas []float64, chains []Chain) *infer.AnnealingReport {
	r := &infer.AnnealingReport{Beta: betas[1:]}
	steps := plan.Tuning.StepSizes(betas[1:])
	for i, row := range t.accept {
		var sum, n float64
		for c, a := range row {
			if !chains[c].Interrupted {
				sum += a
				n++
			}
		}
		r.Accept = append(r.Accept, sum/n)
		r.StepSize = append(r.StepSize, steps[i])
	}
	return r
}
