// This file turns the sampler's points into rows of the model as they are drawn.

package swap

import (
	"context"
	"math/rand/v2"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/infer/rng"
)

// An emitter observes the sampler, and shows the run to the outer observer as one on the
// model.
type emitter struct {
	f          *falsePosterior
	options    infer.Options
	outer      infer.Observer
	with, from string
	posterior  *infer.Posterior
	chains     []*track
}

// A track is what one chain needs.
type track struct {
	evaluator        infer.Evaluator
	rest, quantities *rand.Rand
	q, values        []float64
}

func newEmitter(f *falsePosterior, o infer.Options, with, from string) *emitter {
	e := &emitter{f: f, options: o, outer: o.Observer, with: with, from: from}
	if e.outer == nil {
		e.outer = infer.Ignore{}
	}
	return e
}

// config are the settings in CmdStan's form.
func (e *emitter) config() []draws.Entry {
	return []draws.Entry{{Name: "algorithm", Value: "prior_swap", Choice: true, Children: []draws.Entry{{
		Name: "prior_swap", Children: []draws.Entry{{Name: "from", Value: e.from}, {Name: "with", Value: e.with}},
	}}}}
}

// Begin implements infer.Observer.
func (e *emitter) Begin(plan draws.Plan) error {
	plan.Method, plan.Seed, plan.Columns, plan.Config = "prior_swap", e.options.Seed, e.f.model.Columns(), e.config()
	e.posterior = &infer.Posterior{
		Plan: plan, Draws: draws.New(plan.Chains, plan.Stats, plan.Columns),
		Unconstrained: make([][][]float64, plan.Chains), Chains: make([]infer.ChainReport, plan.Chains),
	}
	for c := range plan.Chains {
		e.posterior.Draws.Reserve(c, min(plan.Draws, 1<<16))
		e.chains = append(e.chains, &track{
			evaluator:  e.f.model.NewEvaluator(),
			rest:       rng.New(e.options.Seed, "prior_swap/rest", uint64(c), e.options.Replicate),
			quantities: rng.New(e.options.Seed, rng.Quantities, uint64(c), e.options.Replicate),
			q:          make([]float64, e.f.dim), values: make([]float64, len(plan.Columns)),
		})
	}
	return e.outer.Begin(plan)
}

// Step implements infer.Observer.
func (e *emitter) Step(s infer.Step) { e.outer.Step(s) }

// Draw implements infer.Observer: the row's values are a point.
func (e *emitter) Draw(row draws.Row) error {
	t := e.chains[row.Chain]
	e.f.complete(row.Values, t.rest, t.q)
	if err := t.evaluator.Write(t.q, t.quantities, t.values); err != nil && !infer.IsReject(err) {
		return err
	}
	row.Values = t.values
	if !row.Warmup {
		e.posterior.Draws.Append(row)
		list := &e.posterior.Unconstrained[row.Chain]
		*list = append(*list, append([]float64(nil), t.q...))
	}
	return e.outer.Draw(row)
}

// Adapted implements infer.Observer.
func (e *emitter) Adapted(chain int, a draws.Adaptation) error { return e.outer.Adapted(chain, a) }

// End implements infer.Observer.
func (e *emitter) End(chain int, end draws.ChainEnd) error { return e.outer.End(chain, end) }

// progress passes on how far a run is, and nothing else.
type progress struct {
	infer.Ignore
	outer infer.Observer
}

// mostPairs bounds the draws of each factor, since pairs are weighed one by one.
const mostPairs = 4000

// correct is the second half of Algorithm 1: the sampler's draws times the correction
// mixture.
func (e *emitter) correct(ctx context.Context, p *infer.Posterior) error {
	plan := p.Plan
	plan.Chains, plan.Warmup, plan.Thin, plan.Stats, plan.SaveWarmup = 1, 0, 1, nil, false
	var swapped [][]float64
	for _, chain := range p.Unconstrained {
		swapped = append(swapped, chain...)
	}
	plan.Draws = len(swapped)
	if err := e.Begin(plan); err != nil {
		return err
	}
	n := len(e.f.coords)
	s := make([]float64, n)
	var centres [][]float64
	var logw []float64
	for _, q := range thinned(e.f.sample, mostPairs) {
		z := make([]float64, n)
		e.f.whiten(q, s, z)
		centres = append(centres, z)
		logw = append(logw, -e.f.white.LogDensity(s))
	}
	pairs, err := newProduct(ctx, thinned(swapped, mostPairs), nil, centres, logw)
	if err != nil {
		return err
	}
	r := rng.New(e.options.Seed, "prior_swap/pairs", 0, e.options.Replicate)
	z := make([]float64, n)
	for i := range plan.Draws {
		if ctx.Err() != nil {
			break
		}
		pairs.draw(r, z)
		if err := e.Draw(draws.Row{Iteration: i, LogDensity: pairs.last, Values: z}); err != nil {
			return err
		}
	}
	p.Chains, p.LogWeights = p.Chains[:1], nil
	end := p.Chains[0].End
	end.Incomplete = ctx.Err() != nil
	return e.End(0, end)
}

// thinned takes at most n points, evenly.
func thinned(x [][]float64, n int) [][]float64 {
	if len(x) <= n {
		return x
	}
	out := make([][]float64, n)
	for i := range out {
		out[i] = x[i*len(x)/n]
	}
	return out
}
