// This file is the run loop: it runs the chains of a Markov method.

package infer

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"sync/atomic"
	"time"

	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/infer/rng"
)

// PanicError is a bug that a chain ran into.
type PanicError struct {
	Value any
	Stack []byte
}

// Error implements error.
func (e *PanicError) Error() string { return fmt.Sprintf("internal error: %v", e.Value) }

// RunMarkov runs the chains of a Markov method on o.Jobs goroutines. It is
// what such a method's Run consists of. In a model without parameters nothing moves, whatever
// the method.
func RunMarkov(ctx context.Context, m Model, method Markov, o Options) (*Posterior, error) {
	if m.Dim() == 0 {
		method = FixedParam{Options: method.Chains()}
	}
	mo := method.Chains()
	mo.Thin = max(mo.Thin, 1)
	if err := mo.validate(m.Dim()); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	observer, journal := JournalOf(o.Observer)
	if journal == nil && o.Relay != nil {
		journal = &pocket{}
	}
	r := &run{
		ctx: ctx, cancel: cancel, model: m, method: method, markov: mo, options: o,
		observer: observer, journal: journal, stepSize: slices.Index(method.Stats(), "stepsize__"),
		plan: newSchedule(mo), chains: make([]*chain, mo.Chains),
		posterior: &Posterior{
			Plan: draws.Plan{
				Method: method.Name(), Chains: mo.Chains, Warmup: mo.Warmup, Draws: mo.Draws, Thin: mo.Thin,
				SaveWarmup: o.SaveWarmup, Seed: o.Seed,
				Stats: method.Stats(), Columns: m.Columns(), Config: method.Config(),
			},
			Draws:  draws.New(mo.Chains, method.Stats(), m.Columns()),
			Chains: make([]ChainReport, mo.Chains), Stopping: stoppingOf(mo),
		},
	}
	for range mo.Chains {
		r.turns = append(r.turns, &turn{})
	}
	if o.KeepUnconstrained {
		r.posterior.Unconstrained = make([][][]float64, mo.Chains)
	}
	r.findEffects()
	r.posterior.Plan.Remarks = r.remarks()
	if err := r.observer.Begin(r.posterior.Plan); err != nil {
		return nil, err
	}
	if o.Leg != nil {
		return r.leg(o.Leg)
	}
	return r.run()
}

func (mo MarkovOptions) validate(dim int) error {
	switch {
	case mo.Chains < 1:
		return fmt.Errorf("chains must be at least 1, found %d", mo.Chains)
	case mo.Warmup < 0:
		return fmt.Errorf("warmup must not be negative, found %d", mo.Warmup)
	case mo.Draws < 0:
		return fmt.Errorf("draws must not be negative, found %d", mo.Draws)
	}
	return mo.Init.validate(dim, mo.Chains)
}

// run is what the chains of one run share.
type run struct {
	ctx       context.Context
	cancel    context.CancelCauseFunc
	model     Model
	method    Markov
	markov    MarkovOptions
	options   Options
	observer  Observer
	journal   Journal // nil: the run cannot be resumed
	stepSize  int     // where the sampler columns have it; -1: nowhere
	posterior *Posterior
	plan      schedule
	chains    []*chain  // those that have begun and not ended
	turns     []*turn   // of the chains
	columns   []wanting // see shortfall
	effects   []Effect  // nil: none whose centring is learned
}

// run takes the chains from stop to stop, and collects the result.
func (r *run) run() (*Posterior, error) {
	errs := make([]error, r.markov.Chains)
	if r.plan.stages {
		r.reopen(errs)
	}
	for !slices.ContainsFunc(errs, isError) {
		r.pass(errs)
		if slices.ContainsFunc(errs, isError) || r.ctx.Err() != nil || !r.goOn(errs) {
			break
		}
	}
	for c, ch := range r.chains {
		if ch != nil {
			errs[c] = ch.end(errs[c])
		}
	}
	return r.collect(errs)
}

func isError(err error) bool { return err != nil }

// pass takes all chains in order to the next stop, on a few goroutines.
func (r *run) pass(errs []error) {
	if r.options.Relay != nil {
		r.relayed(errs)
		return
	}
	chains := r.markov.Chains
	for _, t := range r.turns {
		t.ended = false
	}
	var next atomic.Int64
	work := func(s *slot) {
		var ev Evaluator
		for c := int(next.Add(1)) - 1; c < chains; c = int(next.Add(1)) - 1 {
			r.inTurn(c, func(t *turn) {
				err := r.guarded(c, s, &ev)
				if t.left {
					return
				}
				if errs[c], t.ended = err, true; err != nil {
					r.cancel(err)
				}
			})
		}
	}
	jobs := min(max(r.options.Jobs, 1), chains)
	slots := min((chains+jobs-1)/jobs, LockstepSize)
	if own := slotOf(r.ctx); own.canJoin(r.model, slots) {
		work(own)
	} else {
		r.waitFor(func() { spread(jobs, slots, work) })
	}
}

// collect completes the posterior.
func (r *run) collect(errs []error) (*Posterior, error) {
	p := r.posterior
	for c := range p.Chains {
		p.Incomplete = p.Incomplete || p.Chains[c].End.Incomplete
	}
	if p.Incomplete {
		p.Cause = context.Cause(r.ctx)
	}
	if r.plan.stages {
		p.Plan.MostWarmup, p.Plan.MostDraws = r.markov.Warmup, r.markov.Draws
		p.Plan.Warmup, p.Plan.Draws = r.plan.warmup, r.plan.draws
		for c, chain := range p.Chains {
			if chain.ReplacedAt > 0 {
				p.Stopping.Replaced = append(p.Stopping.Replaced, c+1)
			}
		}
		p.Stopping.Centring = r.centringRun()
	}
	for _, err := range errs {
		if err != nil {
			return p, err // chains mostly fail alike: one report is enough
		}
	}
	return p, nil
}

// guarded takes one chain to the next stop and turns a panic into an error. In a run without
// stages the evaluator is made by the first chain of a slot and serves the later ones; in one
// with stages each chain has its own, for it changes slots.
func (r *run) guarded(c int, s *slot, ev *Evaluator) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = &PanicError{Value: v, Stack: debug.Stack()}
		}
	}()
	if r.ctx.Err() != nil {
		r.posterior.Chains[c].End.Incomplete = true
		return nil
	}
	ch := r.chains[c]
	if ch == nil {
		t := r.turns[c]
		if *ev == nil || r.plan.stages {
			if err := t.aside(func() error { *ev = r.newEvaluator(); return nil }); err != nil || t.left {
				return err
			}
		}
		if ch, err = r.newChain(c, *ev); err != nil {
			return err
		}
		r.chains[c] = ch
	}
	s.attach(ch.evaluator)
	ch.slot, ch.target.slot, ch.share = s, s, s.decide()
	if r.plan.stages {
		defer func() { ch.slot, ch.target.slot = nil, nil }()
		return ch.advance()
	}
	if err = ch.advance(); ch.turn.left {
		return nil
	}
	r.chains[c] = nil
	return ch.end(err)
}

// chain is one chain of a run.
type chain struct {
	*run
	turn       *turn
	index      int
	slot       *slot
	evaluator  Evaluator
	target     *interruptible // the evaluator, as the kernel has it
	kernel     Kernel
	tuner      Tuner
	stage      stage // of warm-up
	stream     stream
	quantities stream
	state      State
	info       Info
	values     []float64
	report     *ChainReport
	begun      bool        // it has a state
	done       int         // transitions
	tuned      bool        // warm-up is over
	since      time.Time   // of which the report does not count the time yet
	share      int         // chains that share the time since then
	keeps      *keeper     // nil: nothing to resume from is kept
	centred    *recentring // nil: the chain moves in the coordinates of the model
}

func (r *run) newChain(c int, ev Evaluator) (*chain, error) {
	seed, replicate := r.options.Seed, r.options.Replicate
	ch := &chain{
		run: r, turn: r.turns[c], index: c, share: 1, evaluator: ev, target: &interruptible{Target: ev, ctx: r.ctx},
		stream:     newStream(rng.NewSource(seed, rng.Transition, uint64(c), replicate)),
		quantities: newStream(rng.NewSource(seed, rng.Quantities, uint64(c), replicate)),
		state:      State{Q: make([]float64, r.model.Dim())},
		info:       Info{Stats: make([]float64, len(r.posterior.Plan.Stats))},
		values:     make([]float64, len(r.posterior.Plan.Columns)),
		report:     &r.posterior.Chains[c],
	}
	ch.centred = newRecentring(r.effects, ev)
	if err := ch.enter(r.firstStage()); err != nil {
		return nil, err
	}
	r.posterior.Draws.Reserve(c, min(r.plan.draws, 1<<16))
	ch.keeps = newKeeper(r.journal, ch.tuner, c)
	return ch, nil
}

// end closes the chain, which err or a cancelled context has cut short. An interrupted chain
// is no error; the report says so.
func (c *chain) end(err error) error {
	if err != nil && c.ctx.Err() != nil && errors.Is(err, ErrInterrupted) {
		err = nil
	}
	if err != nil || c.done < c.plan.warmup+c.plan.draws*c.markov.Thin {
		c.report.End.Incomplete = true
	}
	c.report.End.Warmup = min(c.done, c.plan.warmup)
	return errors.Join(err, c.keeps.close(), c.observer.End(c.index, c.report.End))
}

// advance takes the chain from where it is to the next stop of the run.
func (c *chain) advance() error {
	c.since = time.Now()
	err := c.phases()
	if c.turn.left {
		return nil
	}
	c.tick()
	if err != nil && c.ctx.Err() != nil && errors.Is(err, ErrInterrupted) {
		return nil // end says so
	}
	return err
}

func (c *chain) phases() error {
	if err := c.begin(); err != nil {
		return err
	}
	if !c.tuned {
		if err := c.warmup(); err != nil || !c.tuned {
			return err
		}
	}
	return c.sample()
}

// begin gives the chain its state: that of a checkpoint, or a starting point.
func (c *chain) begin() error {
	if c.begun {
		return nil
	}
	resumed, err := c.resume()
	if err != nil {
		return err
	}
	if !resumed {
		err = c.start()
	}
	c.begun = err == nil
	return err
}

// tick counts the time since the last tick for the phase under way.
func (c *chain) tick() {
	now, phase := time.Now(), &c.report.End.WarmupTime
	if c.tuned {
		phase = &c.report.End.SamplingTime
	}
	*phase += now.Sub(c.since) / time.Duration(c.share)
	c.since = now
}

func (c *chain) start() error {
	seed, replicate := c.options.Seed, c.options.Replicate
	err := c.aside(func() error {
		return c.markov.Init.start(c.kernel, c.index, rng.New(seed, rng.Init, uint64(c.index), replicate), &c.state)
	})
	if err != nil {
		return err
	}
	c.report.Init = slices.Clone(c.state.Q)
	err = c.aside(func() error {
		if err := c.centred.begin(c.kernel, &c.state); err != nil {
			return err
		}
		return c.tuner.Begin(c.stream.Rand, &c.state)
	})
	if err != nil {
		return c.at("warm-up", 0, err)
	}
	return nil
}

// warmup goes on to the end of the stage, and ends the warm-up if that is known to be the last.
func (c *chain) warmup() error {
	if err := c.goOn(); err != nil {
		return err
	}
	for i := c.done; i < c.stage.end; i++ {
		if err := c.warm(i); err != nil {
			return c.at("warm-up", i, err)
		}
	}
	if err := c.tuner.End(); err != nil {
		return c.at("warm-up", c.stage.end, err)
	}
	if !c.plan.warm {
		return c.checkpoint(true)
	}
	c.tick()
	c.warmed()
	return errors.Join(c.observer.Adapted(c.index, c.report.Adaptation), c.checkpoint(true))
}

// goOn begins the next stage of warm-up, where the last has ended and the run has set one.
func (c *chain) goOn() error {
	if c.tuned || c.done < c.stage.end || c.stage.end >= c.plan.warmup {
		return nil
	}
	if err := c.nextStage(c.tuner.Adaptation(), false); err != nil {
		return c.at("warm-up", c.done, err)
	}
	return nil
}

// warmed takes up that warm-up is over.
func (c *chain) warmed() {
	c.tuned = true
	c.report.Adaptation = c.tuner.Adaptation()
	if k, ok := c.kernel.(Keeper); ok {
		k.Keep()
	}
}

// warm makes transition i, which belongs to the warm-up.
func (c *chain) warm(i int) error {
	if err := c.step(i, true); err != nil {
		return err
	}
	if thin := c.markov.Thin; c.options.SaveWarmup && i%thin == 0 {
		if err := c.record(i/thin, true); err != nil {
			return err
		}
	}
	err := c.aside(func() error {
		c.stage.add(i, &c.state)
		if err := c.centred.add(&c.stage, i, &c.state); err != nil {
			return err
		}
		return c.tuner.Update(c.stream.Rand, i-c.stage.begin, &c.state, &c.info)
	})
	if err != nil {
		return err
	}
	return c.checkpoint(false)
}

func (c *chain) sample() error {
	thin := c.markov.Thin
	for i := c.done - c.plan.warmup; i < c.plan.draws*thin; i++ {
		if err := c.step(i, false); err != nil {
			return c.at("sampling", i, err)
		}
		if (i+1)%thin == 0 {
			if err := c.record(i/thin, false); err != nil {
				return c.at("sampling", i, err)
			}
		}
		if err := c.checkpoint(false); err != nil {
			return c.at("sampling", i, err)
		}
	}
	return c.checkpoint(true)
}

// step makes one transition and keeps the record of a divergence or a rejection.
func (c *chain) step(i int, warmup bool) error {
	if c.ctx.Err() != nil {
		return ErrInterrupted
	}
	if share := c.slot.decide(); share != c.share {
		c.tick()
		c.share = share
	}
	if err := c.aside(func() error { return c.kernel.Step(c.stream.Rand, &c.state, &c.info) }); err != nil {
		return err
	}
	if d := c.info.Divergence; d != nil {
		d.Chain, d.Iteration, d.Warmup = c.index, i, warmup
		if !warmup {
			c.report.DivergenceCount++
			if len(c.report.Divergences) < MaxDivergences {
				d.Start, d.End = c.centred.original(d.Start), c.centred.original(d.End)
				c.report.Divergences = append(c.report.Divergences, *d)
			}
		}
	}
	if r := c.info.Rejection; r != nil && !warmup {
		r.Chain, r.Iteration = c.index, i
		c.report.RejectionCount++
		if len(c.report.Rejections) < MaxDivergences {
			r.Point = c.centred.original(r.Point)
			c.report.Rejections = append(c.report.Rejections, *r)
		}
	}
	c.done++
	c.progress(warmup)
	return nil
}

// progress tells the observer of a step.
func (c *chain) progress(warmup bool) {
	s := Step{
		Chain: c.index, Done: c.done, Total: c.plan.warmup + c.plan.draws*c.markov.Thin, WarmupTotal: c.plan.warmup,
		Warmup: warmup, Divergences: c.report.DivergenceCount,
	}
	if c.stepSize >= 0 {
		s.StepSize = c.info.Stats[c.stepSize]
	}
	c.observer.Step(s)
}

// record turns the state into a row and hands it on.
func (c *chain) record(i int, warmup bool) error {
	fillNaN(c.values)
	if err := c.aside(func() error { return c.evaluator.Write(c.state.Q, c.quantities.Rand, c.values) }); err != nil {
		if c.turn.left || !IsReject(err) {
			return err
		}
		c.report.QuantityErrors++
		if c.report.QuantityError == nil {
			c.report.QuantityError = err
		}
	}
	row := draws.Row{
		Chain: c.index, Iteration: i, Warmup: warmup,
		LogDensity: c.state.LogDensity, Stats: c.info.Stats, Values: c.values,
	}
	point, logJacobian, err := c.centred.point(&c.state)
	if err != nil {
		return err
	}
	row.LogDensity -= logJacobian
	if c.options.KeepUnconstrained {
		row.Point = point
	}
	if err := c.keeps.add(row); err != nil {
		return err
	}
	return c.deliver(row)
}

// deliver puts a row where it belongs.
func (c *chain) deliver(row draws.Row) error {
	if !row.Warmup {
		c.posterior.Draws.Append(row)
		if row.Point != nil {
			c.posterior.Unconstrained[c.index] = append(c.posterior.Unconstrained[c.index], slices.Clone(row.Point))
		}
	}
	return c.observer.Draw(row)
}

func (c *chain) at(phase string, i int, err error) error {
	if errors.Is(err, ErrInterrupted) {
		return err
	}
	return fmt.Errorf("chain %d, %s iteration %d: %w", c.index+1, phase, i+1, err)
}

// ErrInterrupted is how a cancelled context shows itself inside a chain; a model may
// return it from an evaluation that it gave up for the same reason.
var ErrInterrupted = errors.New("interrupted")

// interruptible stops evaluating once the context is done, so that a long
// trajectory does not outlive it.
type interruptible struct {
	Target
	ctx  context.Context
	slot *slot // nil for targets that are not a chain's
}

func (t *interruptible) Unwrap() Target { return t.Target }

func (t *interruptible) LogDensity(q []float64) (float64, error) {
	if t.ctx.Err() != nil {
		return 0, ErrInterrupted
	}
	return t.Target.LogDensity(q)
}

func (t *interruptible) LogDensityGrad(q, grad []float64) (float64, error) {
	if t.ctx.Err() != nil {
		return 0, ErrInterrupted
	}
	if t.slot != nil && t.slot.batching {
		return t.slot.gradient(q, grad)
	}
	return t.Target.LogDensityGrad(q, grad)
}
