// This file has the chains of a run moved in other processes, from stop to stop of the run.

package infer

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"
)

// A Relay moves the chains of a run elsewhere: where the same method runs on an equal model, with Options.Leg. The
// run itself, whose chains compare notes at its stops and decide together, stays where it is. So what comes of it has the bytes
// of a run without a Relay.
type Relay interface {
	// Advance takes chains to the next stop, and hands over what came of each, in any order and one at a time.
	Advance(ctx context.Context, legs []Leg, arrived func(leg int, p *Passage) error) error
}

// A Leg is the way of one chain from where it is to the next stop of its run.
type Leg struct {
	Chain  int
	Warmup int  // transitions up to the end of the stage of warm-up
	Warm   bool // that stage is the last
	Draws  int  // draws up to the stop
	From   *Checkpoint
}

// A Passage is what came of a Leg.
type Passage struct {
	At         *Checkpoint // its times are those of the leg
	Rows       []float64   // recorded on the way, each as a Journal has it
	Rejections []Rejection // the first MaxDivergences; records of divergences are not kept
}

// A pocket is a Journal in memory: of one leg, or of a run that keeps nothing.
type pocket struct {
	leg *Leg // nil: rows are not kept
	at  *Checkpoint
	new []float64
}

// Last implements Journal.
func (p *pocket) Last(int) (*Checkpoint, error) {
	if p.leg == nil {
		return nil, nil
	}
	return p.leg.From, nil
}

// Rows implements Journal. Those before the leg are where the run is.
func (*pocket) Rows(int, func([]float64) error) error { return nil }

// Add implements Journal.
func (p *pocket) Add(_ int, row []float64) error {
	if p.leg != nil {
		p.new = append(p.new, row...)
	}
	return nil
}

// Due implements Journal.
func (*pocket) Due(int) bool { return false }

// Save implements Journal.
func (p *pocket) Save(_ int, at *Checkpoint) error {
	if p.leg != nil {
		p.at = at
	}
	return nil
}

// Close implements Journal.
func (*pocket) Close(int) error { return nil }

// leg takes one chain to the stop of a leg.
func (r *run) leg(l *Leg) (*Posterior, error) {
	if l.Chain < 0 || l.Chain >= r.markov.Chains || l.From == nil || l.From.Tuned && l.Warmup != l.From.StageEnd {
		return nil, errors.New("the leg is none of this run")
	}
	r.plan.warmup, r.plan.warm, r.plan.draws = l.Warmup, l.Warm, l.Draws
	taken := &pocket{leg: l}
	r.journal = taken
	var err error
	newLockstepGroup(1).run(func(s *slot) {
		var ev Evaluator
		r.inTurn(l.Chain, func(*turn) { err = r.guarded(l.Chain, s, &ev) })
	})
	p := &Posterior{Passage: &Passage{At: taken.at, Rows: taken.new, Rejections: r.posterior.Chains[l.Chain].Rejections}}
	if err == nil && taken.at == nil {
		err = ErrInterrupted
	}
	return p, err
}

// relayed has all chains taken to the next stop elsewhere. Starting points and stages of warm-up are begun here.
func (r *run) relayed(errs []error) {
	legs := make([]Leg, len(r.chains))
	for c := range legs {
		errs[c] = Guarded(func() (err error) {
			r.inTurn(c, func(*turn) { legs[c], err = r.depart(c) })
			return err
		})
	}
	if slices.ContainsFunc(errs, isError) || r.ctx.Err() != nil {
		return
	}
	err := r.options.Relay.Advance(r.ctx, legs, func(leg int, p *Passage) error {
		return Guarded(func() error { return r.chains[leg].arrive(p) })
	})
	if err != nil {
		errs[0] = errors.Join(errs[0], err)
	}
}

// depart is the leg that lies before a chain.
func (r *run) depart(c int) (Leg, error) {
	ch := r.chains[c]
	if ch == nil {
		var err error
		if ch, err = r.newChain(c, r.newEvaluator()); err != nil {
			return Leg{}, err
		}
		r.chains[c] = ch
	}
	if ch.keeps == nil {
		return Leg{}, fmt.Errorf("chains of %s cannot be moved elsewhere", r.method.Name())
	}
	ch.since = time.Now()
	if err := errors.Join(ch.begin(), ch.goOn()); err != nil {
		return Leg{}, err
	}
	from, err := ch.snapshot()
	if err != nil {
		return Leg{}, err
	}
	from.WarmupTime, from.SamplingTime = 0, 0
	return Leg{Chain: c, Warmup: r.plan.warmup, Warm: r.plan.warm, Draws: r.plan.draws, From: from}, nil
}

// arrive puts a chain where a leg has taken it.
func (c *chain) arrive(p *Passage) error {
	before, tuned, end := c.keeps.warmup+c.keeps.rows, c.tuned, c.report.End
	at := p.At
	if at == nil || at.Done < c.done || at.WarmupRows < c.keeps.warmup || at.Rows < c.keeps.rows {
		return fmt.Errorf("chain %d has come back from elsewhere as another one", c.index+1)
	}
	at.Init = c.report.Init
	if err := c.restore(at); err != nil {
		return fmt.Errorf("chain %d cannot be taken on: %w", c.index+1, err)
	}
	c.report.End.WarmupTime += end.WarmupTime
	c.report.End.SamplingTime += end.SamplingTime
	for _, r := range p.Rejections {
		if len(c.report.Rejections) < MaxDivergences {
			c.report.Rejections = append(c.report.Rejections, r)
		}
	}
	n := at.WarmupRows + at.Rows - before
	if n < 0 || n == 0 != (len(p.Rows) == 0) || n > 0 && len(p.Rows)%n != 0 {
		return fmt.Errorf("chain %d has come back from elsewhere with other rows than it says", c.index+1)
	}
	err := c.replay(at, before, tuned, func(take func([]float64) error) error {
		for row := range slices.Chunk(p.Rows, max(1, len(p.Rows)/max(1, n))) {
			if err := errors.Join(c.keeps.journal.Add(c.index, row), take(row)); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	c.progress(!c.tuned)
	c.since = time.Now()
	return c.checkpoint(true)
}
