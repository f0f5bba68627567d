// This file is the protocol for the data at hand: data sets simulated at hyperparameters
// that were fitted to them (Grosse, Ancha and Roy, section 3.2).
//
// The hyperparameters take the value of one draw of a run on the data at hand. The other
// parameters and the data are simulated given these. Forward chains start from the full
// prior; the reverse chains' start is the simulated point after some moves that keep the
// posterior, since the fitted hyperparameters are no draw from it. Forward chains on the
// data at hand are then compared with those on the simulated data, each shifted by its
// best value: only where they agree do the bounds speak for the data at hand.
//
// All chains follow one schedule. An adaptive one is that of the first simulated data set:
// fitted to the data at hand it would make up for just that difficulty that the comparison
// looks for.

package bread

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/seed-12b88e03/ppl/diagnose"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/ais"
	"github.com/seed-12b88e03/ppl/infer/anneal"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/infer/rng"
)

// Conditioned is a simulator whose hyperparameters can be held.
type Conditioned interface {
	infer.Simulator
	// DrawRest fills q with a draw from the prior in which the named parameters have the
	// values that they have at the point at, and returns observations drawn given it.
	DrawRest(r *rand.Rand, hold []string, at, q []float64) (infer.Dataset, error)
}

// fit returns one draw of a run on the data at hand.
func (d *Diagnosis) fit(ctx context.Context, m infer.Model, o infer.Options) ([]float64, error) {
	o.KeepUnconstrained = true
	p, err := d.options.Fit.Run(ctx, m, o)
	if err != nil {
		return nil, err
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	q := p.Last(0)
	if q == nil {
		return nil, errors.New("the run that should fit the hyperparameters made no draws")
	}
	return q, nil
}

// simulateFitted draws a data set at the fitted hyperparameters, with its parameters.
func (d *Diagnosis) simulateFitted(m infer.Model, o infer.Options, fitted []float64) (infer.Model, []float64, error) {
	s, ok := m.(Conditioned)
	if !ok {
		return nil, nil, &infer.MissingError{Method: d.Name(), Needs: "a model to simulate from at fitted hyperparameters"}
	}
	q := make([]float64, m.Dim())
	y, err := s.DrawRest(rng.New(o.Seed, "bread/simulate", 0, o.Replicate), d.options.Hyper, fitted, q)
	if err != nil {
		return nil, nil, err
	}
	m, err = s.Rebound(y)
	return m, q, err
}

// refine moves a point that is near the posterior nearer to it.
func (d *Diagnosis) refine(pool *anneal.WorkerPool, r *rand.Rand, q []float64) ([]float64, error) {
	m := pool.Any()
	if err := m.SetBeta(1); err != nil {
		return nil, err
	}
	copy(m.State.Q, q)
	if alive, err := m.Start(); err != nil || !alive {
		return q, err
	}
	for range d.options.Settle {
		if err := m.Step(r); err != nil {
			return nil, err
		}
	}
	return slices.Clone(m.State.Q), nil
}

// real runs the forward chains on the data at hand, with the schedule of the first simulated
// data set.
func (d *Diagnosis) real(ctx context.Context, m infer.Model, o infer.Options, first *dataset, count *diagnose.Counter) (*dataset, error) {
	start, err := d.start(ctx, m, o)
	if err != nil {
		return nil, err
	}
	plan, err := ais.Prepare(ctx, d.options.Kernel, start, d.options.Schedule, d.options.Pilot, o)
	if err != nil {
		return nil, err
	}
	plan.Ladder = first.ladder
	pool, err := plan.Pool(ctx, o.Jobs)
	if err != nil {
		return nil, err
	}
	c := &chains{Diagnosis: d, model: m, plan: plan, pool: pool, options: o, count: count}
	set := &dataset{}
	for _, n := range d.rungs {
		var forward []float64
		if d.forwardAt(n) {
			c.watch = newWatch(n, d.options.Chains)
			if forward, _, err = c.forward(n, plan.Betas(n)); err != nil {
				return nil, err
			}
		}
		set.forward = append(set.forward, forward)
	}
	return set, nil
}

// Real compares forward values on the data at hand with those on simulated data.
type Real struct {
	Agree bool        `json:"agree"`
	Rungs []RealPoint `json:"rungs"`
}

// RealPoint is a place of the two curves: medians of single chains, minus the largest
// median of the data set; those of the simulated data sets averaged.
type RealPoint struct {
	Steps     int            `json:"steps"`
	Simulated draws.Number   `json:"simulated"`
	Real      draws.Number   `json:"real"`
	Spread    draws.Number   `json:"spread"`  // the larger interquartile range: of chains on the data at hand, or on all simulated data sets
	Forward   []draws.Number `json:"forward"` // on the data at hand
}

// The rule by which curves agree: medians within farBelow of the best differ by less than
// the larger of closeBy and the larger interquartile range, in nats.
const (
	farBelow = 50
	closeBy  = 3
)

// compare holds the curves against each other.
func (d *Diagnosis) compare(sets []*dataset, real *dataset) *Real {
	out := &Real{Agree: true}
	own := shifted(real)
	simulated := make([][][]draws.Number, len(sets))
	for k, s := range sets {
		simulated[k] = shifted(s)
	}
	for i, n := range d.rungs {
		if !d.forwardAt(n) {
			continue
		}
		var all []draws.Number
		p := RealPoint{Steps: n, Real: quartiles(own[i])[1], Forward: draws.Numbers(real.forward[i])}
		for _, s := range simulated {
			p.Simulated += quartiles(s[i])[1] / draws.Number(len(sets))
			all = append(all, s[i]...)
		}
		p.Spread = max(quartiles(own[i]).spread(), quartiles(all).spread())
		near := p.Simulated > -farBelow || p.Real > -farBelow
		if difference := math.Abs(float64(p.Simulated - p.Real)); near && !(difference < max(closeBy, float64(p.Spread))) {
			out.Agree = false
		}
		out.Rungs = append(out.Rungs, p)
	}
	return out
}

// shifted are the forward values of a data set by rung, minus the best median.
func shifted(s *dataset) [][]draws.Number {
	best := draws.Number(math.Inf(-1))
	for _, f := range s.forward {
		if len(f) > 0 {
			best = max(best, quartiles(draws.Numbers(f))[1])
		}
	}
	out := make([][]draws.Number, len(s.forward))
	for i, f := range s.forward {
		for _, v := range f {
			out[i] = append(out[i], draws.Number(v)-best)
		}
	}
	return out
}

// realNotes say what the comparison means.
func realNotes(hyper []string, r *Real) []string {
	notes := []string{fmt.Sprintf("Data sets were simulated at one fitted value of %s. This is not a rigorous bound: that value was not drawn from the posterior.", list(hyper))}
	if r == nil {
		return notes
	}
	if r.Agree {
		return append(notes, "Forward chains on the data at hand improve with their length as those on simulated data do, so the bound speaks for the data at hand.")
	}
	return append(notes, "The model may not fit the data at hand: chains on data that it simulated at the same hyperparameters have another way to go from the prior to the posterior.")
}

// disagreement is the summary where the curves differ.
func (d *Diagnosis) disagreement(f Figures, top int) string {
	return fmt.Sprintf("Forward chains on the data at hand improve with their length in another way than those on simulated data do, so the bound of %s nats for annealed chains of %d steps on simulated data does not speak for the data at hand.",
		withError(f.Jeffreys), top)
}
