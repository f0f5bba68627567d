// This file records the draws of the method, and takes chains up again that were put aside.

package gibbsprior

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/infer/rng"
)

// A writer records the draws of a chain. A step depends on its number and the point before
// it alone, so that a checkpoint holds the last point.
type writer struct {
	p               *infer.Posterior
	outer           infer.Observer
	journal         infer.Journal // nil where nothing is kept
	chain, steps    int
	stated, density infer.Evaluator
	dim             int // of the answers' coordinates; discrete parameters come after them
	source          *rand.ChaCha8
	quantities      *rand.Rand
	at              []int // places in the data of what stands behind the model's columns
	values, flat    []float64
	last            []float64 // the last point
	done, saved     int       // steps
}

func (m *Method) writer(s *sampler, p *infer.Posterior, outer infer.Observer, journal infer.Journal, c int) *writer {
	source := rng.NewSource(s.options.Seed, rng.Quantities, uint64(c), s.options.Replicate)
	return &writer{
		p: p, outer: outer, journal: journal, chain: c, steps: m.options.Steps,
		stated: s.stated.NewEvaluator(), density: s.answers.NewEvaluator(), dim: s.answers.Dim(),
		source: source, quantities: rand.New(source), values: make([]float64, len(p.Plan.Columns)),
	}
}

// step records where a step has led, as the answer to data y.
func (w *writer) step(y, q []float64) error {
	lp, err := w.density.LogDensity(q[:w.dim])
	switch {
	case infer.IsReject(err): // the draws know nothing of the data at hand
		lp = math.Inf(-1)
	case err != nil:
		return err
	}
	own := len(w.values) - len(w.at)
	for k, i := range w.at {
		w.values[own+k] = y[i]
	}
	if err := w.stated.Write(q, w.quantities, w.values[:own]); err != nil && !infer.IsReject(err) {
		return err
	}
	w.last = q
	if err := w.record(lp, w.values, q[:w.dim]); err != nil || w.journal == nil {
		return err
	}
	w.flat = append(append(append(w.flat[:0], lp), w.values...), q...)
	if err := w.journal.Add(w.chain, w.flat); err != nil {
		return err
	}
	if w.journal.Due(w.chain) {
		return w.save()
	}
	return nil
}

// record hands a row on.
func (w *writer) record(lp float64, values, point []float64) error {
	row := draws.Row{Chain: w.chain, Iteration: w.done, LogDensity: lp, Values: values}
	w.p.Draws.Append(row)
	if w.p.Unconstrained != nil {
		w.p.Unconstrained[w.chain] = append(w.p.Unconstrained[w.chain], point)
	}
	w.done++
	w.outer.Step(infer.Step{Chain: w.chain, Done: w.done, Total: w.steps})
	return w.outer.Draw(row)
}

// save makes a checkpoint.
func (w *writer) save() error {
	if w.journal == nil || w.done == w.saved {
		return nil
	}
	at := &infer.Checkpoint{Done: w.done, Tuned: true, State: infer.State{Q: w.last}, Rows: w.done}
	var err error
	if at.Quantities, err = w.source.MarshalBinary(); err != nil {
		return err
	}
	w.saved = w.done
	return w.journal.Save(w.chain, at)
}

// close keeps what there is.
func (w *writer) close() error {
	if w.journal == nil {
		return nil
	}
	if err := w.save(); err != nil {
		return err
	}
	return w.journal.Close(w.chain)
}

// resume puts a chain, still without steps, where the journal left it. What data its steps made is not
// kept.
func (w *writer) resume(c *Chain) error {
	if w.journal == nil {
		return nil
	}
	at, err := w.journal.Last(w.chain)
	if err != nil || at == nil {
		return err
	}
	start := c.Points[0]
	if len(at.State.Q) != len(start) || at.Done > w.steps {
		return fmt.Errorf("chain %d cannot be resumed: it has made %d steps in %d coordinates, planned are %d in %d", w.chain+1, at.Done, len(at.State.Q), w.steps, len(start))
	}
	if err := w.source.UnmarshalBinary(at.Quantities); err != nil {
		return err
	}
	width := 1 + len(w.values)
	err = w.journal.Rows(w.chain, func(x []float64) error {
		if len(x) != width+len(start) {
			return fmt.Errorf("chain %d cannot be resumed: its rows have %d numbers, those of this run %d", w.chain+1, len(x), width+len(start))
		}
		q := slices.Clone(x[width:])
		c.Data, c.Points = append(c.Data, nil), append(c.Points, q)
		return w.record(x[0], x[1:width], q[:w.dim])
	})
	w.last, w.saved = c.Points[len(c.Points)-1], w.done
	return err
}
