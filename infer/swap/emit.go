// This file turns the sampler's points into rows of the model as they are drawn.

package swap

import (
	"math"
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
	weight           [1]float64
	terms            []float64 // scratch of the mixture
	donors           []float64 // scratch of the carrier
	drawn            int       // how many draws there are
	used             []int     // how often each donor stands in them
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
	if e.f.mixture != nil {
		plan.Stats = []string{draws.LogWeightColumn}
	}
	e.posterior = &infer.Posterior{
		Plan: plan, Draws: draws.New(plan.Chains, plan.Stats, plan.Columns),
		Unconstrained: make([][][]float64, plan.Chains), Chains: make([]infer.ChainReport, plan.Chains),
	}
	if e.f.mixture != nil {
		e.posterior.LogWeights = make([][]float64, plan.Chains)
	}
	for c := range plan.Chains {
		e.posterior.Draws.Reserve(c, min(plan.Draws, 1<<16))
		t := &track{
			evaluator:  e.f.model.NewEvaluator(),
			rest:       rng.New(e.options.Seed, "prior_swap/rest", uint64(c), e.options.Replicate),
			quantities: rng.New(e.options.Seed, rng.Quantities, uint64(c), e.options.Replicate),
			q:          make([]float64, e.f.dim), values: make([]float64, len(plan.Columns)),
		}
		if e.f.mixture != nil {
			t.terms = make([]float64, len(e.f.mixture.logw))
		}
		if e.f.carrier != nil {
			t.donors = make([]float64, len(e.f.carrier.donors))
			t.used = make([]int, len(e.f.carrier.donors))
		}
		e.chains = append(e.chains, t)
	}
	return e.outer.Begin(plan)
}

// Step implements infer.Observer.
func (e *emitter) Step(s infer.Step) { e.outer.Step(s) }

// Draw implements infer.Observer: the row's values are a point.
func (e *emitter) Draw(row draws.Row) error {
	t := e.chains[row.Chain]
	donor := e.f.complete(row.Values, e.place(row.Chain, t.drawn), t.rest, t.donors, t.q)
	if !row.Warmup {
		t.drawn++
		if donor >= 0 {
			t.used[donor]++
		}
	}
	if err := t.evaluator.Write(t.q, t.quantities, t.values); err != nil && !infer.IsReject(err) {
		return err
	}
	if e.f.mixture != nil {
		t.weight[0] = e.f.mixture.logWeight(row.Values, t.terms)
		row.Stats = t.weight[:]
		if !row.Warmup {
			list := &e.posterior.LogWeights[row.Chain]
			*list = append(*list, t.weight[0])
		}
	}
	row.Values = t.values
	if !row.Warmup {
		e.posterior.Draws.Append(row)
		list := &e.posterior.Unconstrained[row.Chain]
		*list = append(*list, append([]float64(nil), t.q...))
	}
	return e.outer.Draw(row)
}

// carried is the effective number of donors in the draws: of parameters that depend on the swapped ones it
// bounds the effective number of draws, whatever the chains look like. NaN where there are none.
func (e *emitter) carried() float64 {
	if e.f.carrier == nil || !e.f.carrier.linked {
		return math.NaN()
	}
	total, square := 0.0, 0.0
	for donor := range e.f.carrier.donors {
		n := 0.0
		for _, t := range e.chains {
			n += float64(t.used[donor])
		}
		total += n
		square += float64(n * n)
	}
	return total * total / square * e.f.effect
}

// place is where in the sample the draw of a chain is whose coordinates stay as they are. Chains go
// through it one after the other: where it has fewer points than there are draws, each stands
// several times in a row, which effective numbers of draws see.
func (e *emitter) place(chain, draw int) int {
	plan := &e.posterior.Plan
	return int((float64(chain) + float64(draw)/float64(max(plan.Draws, 1))) / float64(plan.Chains) * float64(len(e.f.sample)))
}

// Adapted implements infer.Observer.
func (e *emitter) Adapted(chain int, a draws.Adaptation) error { return e.outer.Adapted(chain, a) }

// End implements infer.Observer.
func (e *emitter) End(chain int, end draws.ChainEnd) error { return e.outer.End(chain, end) }
