package infertest_test

// This file has the rows of the conformance suite: one function for each family
// of methods.

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/ais"
	"github.com/seed-12b88e03/ppl/infer/anneal"
	"github.com/seed-12b88e03/ppl/infer/bridge"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/infer/gibbs"
	"github.com/seed-12b88e03/ppl/infer/hmc"
	"github.com/seed-12b88e03/ppl/infer/infertest"
	"github.com/seed-12b88e03/ppl/infer/mh"
	"github.com/seed-12b88e03/ppl/infer/nuts"
	"github.com/seed-12b88e03/ppl/infer/rng"
	"github.com/seed-12b88e03/ppl/infer/smc"
)

// build takes what a constructor returns.
func build[M infer.Method](t testing.TB, m M, err error) M {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func newNUTS(t testing.TB) infer.Markov {
	o := nuts.DefaultOptions()
	o.Warmup, o.Draws = 500, 500
	m, err := nuts.New(o)
	return build(t, m, err)
}

func newHMC(metric string) func(t testing.TB) infer.Method {
	return func(t testing.TB) infer.Method {
		o := hmc.DefaultOptions()
		o.Metric = metric
		m, err := hmc.New(o)
		return build(t, m, err)
	}
}

func newMH(proposal string) func(t testing.TB) infer.Method {
	return func(t testing.TB) infer.Method {
		o := mh.DefaultOptions()
		o.Proposal, o.Warmup, o.Draws, o.Thin = proposal, 1000, 1000, 10
		m, err := mh.New(o)
		return build(t, m, err)
	}
}

func newGibbs(t testing.TB) infer.Method {
	o := gibbs.DefaultOptions()
	o.Warmup, o.Draws, o.Thin = 500, 1000, 4
	m, err := gibbs.New(o)
	return build(t, m, err)
}

func markovRows() []row {
	return []row{
		{name: "nuts", method: func(t testing.TB) infer.Method { return newNUTS(t) }},
		{name: "nuts", variant: "gradient", method: func(t testing.TB) infer.Method {
			o := nuts.DefaultOptions()
			o.Warmup, o.Draws, o.Adapt = 500, 500, hmc.AdaptGradient
			m, err := nuts.New(o)
			return build(t, m, err)
		}},
		{name: "nuts", variant: "low rank", method: func(t testing.TB) infer.Method {
			o := nuts.DefaultOptions()
			o.Warmup, o.Draws, o.Metric = 500, 500, draws.MetricLowRank
			m, err := nuts.New(o)
			return build(t, m, err)
		}},
		{name: "nuts", variant: "divided", method: func(t testing.TB) infer.Method {
			o := nuts.DefaultOptions()
			o.Warmup, o.Draws, o.StepError, o.MaxHalvings = 500, 500, 1, 8
			m, err := nuts.New(o)
			return build(t, m, err)
		}},
		{name: "walnuts", method: func(t testing.TB) infer.Method {
			o := nuts.WalnutsOptions()
			o.Warmup, o.Draws = 500, 500
			m, err := nuts.New(o)
			return build(t, m, err)
		}},
		{name: "hmc", method: newHMC(draws.MetricDiagonal), cancel: 2000},
		{name: "hmc", variant: "dense", method: newHMC(draws.MetricDense), cancel: 2000},
		{name: "mh", method: newMH(mh.Adaptive), cancel: 2000},
		{name: "mh", variant: "single", method: newMH(mh.Single), cancel: 2000},
		{name: "gibbs", method: newGibbs, cancel: 2000},
	}
}

func newAIS(schedule string) func(t testing.TB) infer.Method {
	return func(t testing.TB) infer.Method {
		o := ais.DefaultOptions(newHMC(draws.MetricDiagonal)(t).(infer.Markov))
		o.Steps, o.Chains, o.Schedule = 100, 200, schedule
		m, err := ais.New(o)
		return build(t, m, err)
	}
}

func newSMC(kernel func(t testing.TB) infer.Method, moves int, wasteFree bool) func(t testing.TB) infer.Method {
	return func(t testing.TB) infer.Method {
		o := smc.DefaultOptions(kernel(t).(infer.Markov))
		o.Particles, o.Moves, o.WasteFree = 400, moves, wasteFree
		m, err := smc.New(o)
		return build(t, m, err)
	}
}

func newBridge(inner func(t testing.TB) infer.Method) func(t testing.TB) infer.Method {
	return func(t testing.TB) infer.Method {
		m, err := bridge.New(bridge.DefaultOptions(inner(t)))
		return build(t, m, err)
	}
}

func evidenceRows() []row {
	out := []row{
		{name: "smc", method: newSMC(newHMC(draws.MetricDiagonal), 5, true), kind: weighted, inflate: 2, evidence: true},
		{name: "smc", variant: "last points only", method: newSMC(newHMC(draws.MetricDiagonal), 5, false), kind: weighted, inflate: 2, evidence: true},
		{name: "smc", variant: "of mh", method: newSMC(newMH(mh.Adaptive), 10, true), kind: weighted, inflate: 2, evidence: true},
		{name: "bridge", variant: "of nuts", method: newBridge(func(t testing.TB) infer.Method { return newNUTS(t) }), evidence: true},
		{name: "bridge", variant: "of smc", method: newBridge(newSMC(newHMC(draws.MetricDiagonal), 5, true)), kind: weighted, inflate: 2, evidence: true},
	}
	for _, schedule := range anneal.Schedules() {
		out = append(out, row{name: "ais", variant: schedule, method: newAIS(schedule), kind: weighted, inflate: 1, evidence: true})
	}
	return out
}

// marginals is a test method: the exact mean field by forward KL, that is the
// product of the posterior's marginals on the unconstrained scale, drawn one
// coordinate of an exact draw at a time.
type marginals struct {
	draw map[int]func(r *rand.Rand, q []float64)
}

func (marginals) Name() string { return "exact mean field" }

func (m marginals) Run(_ context.Context, model infer.Model, o infer.Options) (*infer.Posterior, error) {
	rec, err := infer.NewRecorder(model, model.NewEvaluator(), o, draws.Plan{Method: m.Name(), Draws: 4000}, 0)
	if err != nil {
		return nil, err
	}
	r := rng.New(o.Seed, "marginals", 0, o.Replicate)
	q, x := make([]float64, model.Dim()), make([]float64, model.Dim())
	for range 4000 {
		for i := range q {
			m.draw[model.Dim()](r, x)
			q[i] = x[i]
		}
		if err := rec.Draw(q, 0); err != nil {
			return nil, err
		}
	}
	return rec.End(nil)
}

// TestExactMeanField: on a correlated normal, means and sds are exact and the
// correlation is lost, within 5 errors of 4000 draws.
func TestExactMeanField(t *testing.T) {
	c := infertest.Regression()
	p := infertest.Fit(t, marginals{map[int]func(*rand.Rand, []float64){3: c.Draw}}, c.Model, infer.Options{Seed: 2})
	infertest.CheckWeightedMoments(t, p, c.Case, 5, 1)
	x, y := p.Draws.Column("q.1")[0], p.Draws.Column("q.2")[0]
	var correlation float64
	for i := range x {
		correlation += (x[i] - c.Mean[0]) / c.SD[0] * (y[i] - c.Mean[1]) / c.SD[1] / float64(len(x))
	}
	if correlation > 0.08 || correlation < -0.08 {
		t.Errorf("correlation %.3f of independent coordinates", correlation)
	}
}
