// This file runs the chains of one data set.

package bread

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/seed-12b88e03/ppl/diagnose"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/ais"
	"github.com/seed-12b88e03/ppl/infer/anneal"
	"github.com/seed-12b88e03/ppl/infer/rng"
)

// A dataset is what the chains of one data set gave.
type dataset struct {
	forward [][]float64 // log weights: by rung, then by chain; none where the rung has no forward chains
	reverse [][]float64 // minus log weights, likewise
	begins  [][]float64 // by rung, where each forward chain starts: the log likelihood, or from an approximation its log weight
	seconds []float64   // of a chain, on average, by rung

	ranks    []rank         // of the exact draw among the longest forward chains: by figure
	estimate infer.Estimate // of log p(y)
	along    path           // what the kernel did on the longest chains
	ladder   anneal.Ladder  // behind the schedule, where that is adaptive

	// Mean log likelihood, measured on the first data set, NaN on the others: at the ends
	// of the longest forward chains by their weights, and over the method's own draws.
	annealed, own float64
}

// dataset simulates data set i, or takes the data at hand, and runs the chains. With data at
// hand to be compared all schedules are that of the first data set, which may be nil for it.
func (d *Diagnosis) dataset(ctx context.Context, m infer.Model, o infer.Options, i int, fitted []float64, first *dataset, count *diagnose.Counter) (*dataset, error) {
	opt := d.options
	o.Replicate = uint64(i) + 1
	m, starts, err := d.prepare(ctx, m, o, fitted)
	if err != nil {
		return nil, err
	}
	start, err := d.start(ctx, m, o)
	if err != nil {
		return nil, err
	}
	plan, err := ais.Prepare(ctx, opt.Kernel, start, opt.Schedule, opt.Pilot, o)
	if err != nil {
		return nil, err
	}
	if opt.Data == Fitted && first != nil {
		plan.Ladder = first.ladder
	}
	pool, err := plan.Pool(ctx, o.Jobs)
	if err != nil {
		return nil, err
	}
	if !pool.Any().Reversible() {
		return nil, fmt.Errorf("%s: %w", opt.Kernel.Name(), anneal.ErrIrreversible)
	}
	if opt.Data == Fitted {
		if starts[0], err = d.refine(pool, rng.New(o.Seed, "bread/settle", 0, o.Replicate), starts[0]); err != nil {
			return nil, err
		}
	}
	c := &chains{Diagnosis: d, model: m, plan: plan, pool: pool, options: o, starts: starts, count: count}
	set, err := c.all()
	if err != nil {
		return nil, err
	}
	set.annealed, set.own = math.NaN(), math.NaN()
	if i == 0 {
		err = c.likelihoods(ctx, set)
	}
	return set, err
}

// prepare returns the model bound to its data set, and where reverse chains start.
func (d *Diagnosis) prepare(ctx context.Context, m infer.Model, o infer.Options, fitted []float64) (infer.Model, [][]float64, error) {
	var q []float64
	var err error
	switch {
	case d.options.Data == Simulated:
		m, q, err = simulate(m, o)
	case d.options.Data == Fitted:
		m, q, err = d.simulateFitted(m, o, fitted)
	case len(d.options.Start) > 0:
		return m, d.options.Start, nil
	default:
		starts, err := d.approximateStarts(ctx, m, o)
		return m, starts, err
	}
	return m, [][]float64{q}, err
}

// simulate draws a data set with its parameters.
func simulate(m infer.Model, o infer.Options) (infer.Model, []float64, error) {
	s, ok := m.(infer.Simulator)
	if !ok {
		return nil, nil, &infer.MissingError{Method: "bread", Needs: "a model to simulate from"}
	}
	q := make([]float64, m.Dim())
	y, _, err := diagnose.Simulate(s, rng.New(o.Seed, "bread/simulate", 0, o.Replicate), q)
	if err != nil {
		return nil, nil, err
	}
	m, err = s.Rebound(y)
	return m, q, err
}

// start is where the paths of a data set come from.
func (d *Diagnosis) start(ctx context.Context, m infer.Model, o infer.Options) (ais.Start, error) {
	from := d.options.From
	if from == nil {
		return ais.FromPrior(d.Name(), m), nil
	}
	fit, err := from.Run(ctx, m, o)
	if err != nil {
		return nil, err
	}
	q, ok := fit.Approximation()
	switch {
	case ok:
		return ais.FromApproximation(d.Name(), m, q), nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	}
	return nil, fmt.Errorf("%s gave no density that can be drawn from", from.Name())
}

// approximateStarts are draws of a run of the kernel's method, spread over its chains.
func (d *Diagnosis) approximateStarts(ctx context.Context, m infer.Model, o infer.Options) ([][]float64, error) {
	o.KeepUnconstrained = true
	p, err := d.options.Fit.Run(ctx, m, o)
	if err != nil {
		return nil, err
	}
	var all [][]float64
	for _, chain := range p.Unconstrained {
		all = append(all, chain...)
	}
	n := d.options.Chains
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if len(all) == 0 {
		return nil, errors.New("the run that should give starting points made no draws")
	}
	out := make([][]float64, n)
	for i := range out {
		out[i] = all[(2*i+1)*len(all)/(2*n)]
	}
	return out, nil
}

// chains are the chains of one data set.
type chains struct {
	*Diagnosis
	model   infer.Model
	plan    *ais.Plan
	pool    *anneal.WorkerPool
	options infer.Options
	starts  [][]float64
	count   *diagnose.Counter
	ends    [][]float64 // last states of the forward chains that ran last
	begins  []float64   // of them, see dataset
	figures [][]float64 // of their states before the last move, see figuresAt
	watch   *watch      // of the chains of one length
}

func (c *chains) all() (*dataset, error) {
	set := &dataset{ladder: c.plan.Ladder}
	for _, n := range c.rungs {
		betas := c.plan.Betas(n)
		c.watch = newWatch(n, c.Diagnosis.options.Chains)
		var took, took2 float64
		var forward, reverse []float64
		var err error
		c.begins = nil
		if c.forwardAt(n) {
			if forward, took, err = c.forward(n, betas); err != nil {
				return nil, err
			}
		}
		if reverse, took2, err = c.reverse(n, betas); err != nil {
			return nil, err
		}
		set.forward, set.reverse = append(set.forward, forward), append(set.reverse, reverse)
		set.begins = append(set.begins, c.begins)
		set.seconds = append(set.seconds, (took+took2)/float64(len(forward)+len(reverse)))
	}
	last := len(c.rungs) - 1
	set.along = c.watch.path(c.plan)
	set.ranks = c.ranks(set.forward[last], set.reverse[last])
	set.estimate = acceptanceRatio(set.forward[last], set.reverse[last])
	return set, nil
}

// stream is the random stream of a chain.
func (c *chains) stream(direction string, n, i int) *rand.Rand {
	purpose := rng.Purpose(fmt.Sprintf("bread/%s/%d", direction, n))
	return rng.New(c.options.Seed, purpose, uint64(i), c.options.Replicate)
}

// forward returns log weights.
func (c *chains) forward(n int, betas []float64) (value []float64, seconds float64, err error) {
	k := c.Diagnosis.options.Chains
	value, c.ends, c.begins = make([]float64, k), make([][]float64, k), make([]float64, k)
	c.figures = make([][]float64, k)
	took := make([]float64, k)
	err = c.pool.Each(k, func(m *anneal.Mover, i int) error {
		began := time.Now()
		r := c.stream("forward", n, i)
		q := make([]float64, m.Source.Dim())
		if err := m.Source.DrawPrior(r, q); err != nil {
			return err
		}
		var err error
		if _, c.begins[i], err = m.Path.Parts(q); err != nil {
			return err
		}
		c.figures[i] = figuresAt(m, q) // of a chain that ends early
		if value[i], err = m.Forward(r, q, betas, c.keep(n, i, c.watch.hook(0, i))); err != nil {
			return err
		}
		took[i] = time.Since(began).Seconds()
		c.ends[i] = slices.Clone(m.State.Q)
		c.count.Add(n)
		return nil
	})
	return value, sum(took), err
}

// reverse returns minus the log weights.
func (c *chains) reverse(n int, betas []float64) (value []float64, seconds float64, err error) {
	k := c.reverseChains(n)
	value = make([]float64, k)
	took := make([]float64, k)
	err = c.pool.Each(k, func(m *anneal.Mover, i int) error {
		began := time.Now()
		var err error
		value[i], err = m.Reverse(c.stream("reverse", n, i), c.starts[i%len(c.starts)], betas, false, c.watch.hook(1, i))
		took[i] = time.Since(began).Seconds()
		c.count.Add(n)
		return err
	})
	return value, sum(took), err
}
