// This file resumes chains and makes the checkpoints for it.

package infer

import (
	"errors"
	"fmt"
	"slices"

	"github.com/seed-12b88e03/ppl/infer/draws"
)

// checkpoint saves the chain if it is time to, or by force.
func (c *chain) checkpoint(force bool) error {
	k := c.keeps
	if k == nil || !force && !k.journal.Due(c.index) {
		return nil
	}
	at, err := c.snapshot()
	if err != nil {
		return err
	}
	return k.journal.Save(c.index, at)
}

// snapshot is the chain as a checkpoint.
func (c *chain) snapshot() (*Checkpoint, error) {
	c.tick()
	k := c.keeps
	at := &Checkpoint{
		Done: c.done, Tuned: c.tuned, State: c.state, Tuning: k.snapshot(c.tuned),
		StageBegin: c.stage.begin, StageEnd: c.stage.end, Search: c.stage.search, Settling: c.stage.moments, ReplacedAt: c.report.ReplacedAt,
		Centring: c.stage.centring, Lambda: c.centred.lambda(), Stretch: c.centred.lastStretch(),
		WarmupRows: k.warmup, Rows: k.rows,
		Init: c.report.Init, Divergences: c.report.DivergenceCount, Rejections: c.report.RejectionCount, QuantityErrors: c.report.QuantityErrors,
		WarmupTime: c.report.End.WarmupTime, SamplingTime: c.report.End.SamplingTime,
	}
	if c.report.QuantityError != nil {
		at.QuantityError = c.report.QuantityError.Error()
	}
	var err error
	if at.Stream, err = c.stream.source.MarshalBinary(); err != nil {
		return nil, err
	}
	at.Quantities, err = c.quantities.source.MarshalBinary()
	return at, err
}

// resume puts the chain where its journal left it; false: there is nothing to go on
// from.
func (c *chain) resume() (bool, error) {
	if c.keeps == nil {
		return false, nil
	}
	at, err := c.keeps.journal.Last(c.index)
	if err != nil || at == nil {
		return false, err
	}
	if err := c.restore(at); err != nil {
		return false, fmt.Errorf("chain %d cannot be resumed: %w", c.index+1, err)
	}
	err = c.replay(at, 0, false, func(take func([]float64) error) error { return c.keeps.journal.Rows(c.index, take) })
	if err != nil {
		return false, err
	}
	if c.done > 0 {
		c.progress(!c.tuned)
	}
	return true, nil
}

func (c *chain) restore(at *Checkpoint) error {
	if err := c.centred.restore(at); err != nil {
		return err
	}
	if at.StageEnd > 0 {
		s := stage{begin: at.StageBegin, end: at.StageEnd, search: at.Search, moments: slices.Clone(at.Settling), centring: slices.Clone(at.Centring)}
		if err := c.enter(s); err != nil {
			return err
		}
	}
	planned := c.stage.end + c.markov.Draws*c.markov.Thin
	switch {
	case len(at.State.Q) != len(c.state.Q):
		return fmt.Errorf("it has %d coordinates, the model %d", len(at.State.Q), len(c.state.Q))
	case at.Done > planned:
		return fmt.Errorf("it has made %d transitions, planned are %d", at.Done, planned)
	}
	if err := c.keeps.tuner.Restore(at.Tuning); err != nil {
		return err
	}
	if err := errors.Join(c.stream.source.UnmarshalBinary(at.Stream), c.quantities.source.UnmarshalBinary(at.Quantities)); err != nil {
		return err
	}
	c.done = at.Done
	c.state = State{Q: slices.Clone(at.State.Q), LogDensity: at.State.LogDensity, Grad: slices.Clone(at.State.Grad)}
	c.keeps.warmup, c.keeps.rows = at.WarmupRows, at.Rows
	r := c.report
	r.ReplacedAt = at.ReplacedAt
	r.Init, r.DivergenceCount, r.RejectionCount, r.QuantityErrors = at.Init, at.Divergences, at.Rejections, at.QuantityErrors
	if at.QuantityError != "" {
		r.QuantityError = errors.New(at.QuantityError)
	}
	r.End.WarmupTime, r.End.SamplingTime = at.WarmupTime, at.SamplingTime
	if at.Tuned {
		c.warmed()
	}
	return nil
}

// replay hands over the rows up to a checkpoint that come after the first n. told reports whether the adaptation has been
// handed over.
func (c *chain) replay(at *Checkpoint, n int, told bool, rows func(take func(row []float64) error) error) error {
	stats, columns := len(c.info.Stats), len(c.values)
	width := 1 + stats + columns
	if c.options.KeepUnconstrained {
		width += len(c.state.Q)
	}
	adapted := func() error {
		if told || !at.Tuned || n < at.WarmupRows {
			return nil
		}
		told = true
		return c.observer.Adapted(c.index, c.report.Adaptation)
	}
	err := rows(func(x []float64) error {
		if len(x) != width {
			return fmt.Errorf("chain %d cannot be resumed: its rows have %d numbers, those of this run %d", c.index+1, len(x), width)
		}
		if err := adapted(); err != nil {
			return err
		}
		row := draws.Row{
			Chain: c.index, Iteration: n, Warmup: n < at.WarmupRows,
			LogDensity: x[0], Stats: x[1 : 1+stats], Values: x[1+stats : 1+stats+columns],
		}
		if !row.Warmup {
			row.Iteration -= at.WarmupRows
		}
		if c.options.KeepUnconstrained {
			row.Point = x[1+stats+columns:]
		}
		n++
		copy(c.info.Stats, row.Stats)
		return c.deliver(row)
	})
	if err == nil {
		err = adapted()
	}
	return err
}
