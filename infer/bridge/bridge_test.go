package bridge_test

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/bridge"
	"github.com/seed-12b88e03/ppl/infer/infertest"
	"github.com/seed-12b88e03/ppl/infer/mh"
	"github.com/seed-12b88e03/ppl/infer/normal"
	"github.com/seed-12b88e03/ppl/infer/nuts"
	"github.com/seed-12b88e03/ppl/infer/rng"
	"github.com/seed-12b88e03/ppl/infer/smc"
)

func sampler(t testing.TB) infer.Markov {
	t.Helper()
	m, err := nuts.New(nuts.DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func method(t testing.TB, inner infer.Method) *bridge.Method {
	t.Helper()
	m, err := bridge.New(bridge.DefaultOptions(inner))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func check(t *testing.T, what string, e *infer.Estimate, exact, most float64) {
	t.Helper()
	if e == nil {
		t.Fatalf("%s: no evidence", what)
	}
	if z := (e.Value - exact) / e.Error; !(math.Abs(z) < 4) || e.Error > most {
		t.Errorf("%s: log evidence %.5f, exactly %.5f, error %.5f", what, e.Value, exact, e.Error)
	}
	t.Logf("%s: %+.5f of %.5f", what, e.Value-exact, e.Error)
}

// From NUTS draws, random-walk draws, weighted particles and an approximation
// that is off: within 4 standard errors. 12 comparisons, a false alarm in about
// 1,000 seeds.
func TestEvidence(t *testing.T) {
	o := mh.DefaultOptions()
	o.Draws, o.Thin = 2000, 10
	walk, err := mh.New(o)
	if err != nil {
		t.Fatal(err)
	}
	particles, err := smc.New(smc.DefaultOptions(sampler(t)))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range infertest.EvidenceCases() {
		for _, inner := range []infer.Method{sampler(t), walk, particles, approximation(c)} {
			p := infertest.Fit(t, method(t, inner), c.Model, infer.Options{Seed: 13, Jobs: 2})
			check(t, inner.Name()+" "+c.Name, p.LogEvidence, c.LogEvidence, 0.1)
			if p.Unconstrained != nil {
				t.Error("unconstrained draws were not asked for")
			}
		}
	}
}

// fitted is a method with a normal density and draws that bridge must not take
// for the posterior's.
type fitted struct {
	q *normal.Normal
	m infer.Method
}

func (fitted) Name() string { return "fitted" }
func (f fitted) Run(ctx context.Context, m infer.Model, o infer.Options) (*infer.Posterior, error) {
	p, err := f.m.Run(ctx, m, o)
	if err == nil {
		p.Density = f.q
	}
	return p, err
}

// approximation is a normal density wide enough to cover the posterior.
func approximation(c infertest.EvidenceCase) infer.Method {
	mean, sd := make([]float64, len(c.Mean)), make([]float64, len(c.Mean))
	for i := range mean {
		mean[i], sd[i] = c.Mean[i]+c.SD[i]/2, 1.2*c.SD[i]
	}
	if c.Name == "beta-binomial" { // its columns are not its coordinates
		mean[0], sd[0] = 1.3, 0.8
	}
	m, err := nuts.New(nuts.DefaultOptions())
	if err != nil {
		panic(err)
	}
	return fitted{normal.NewDiagonal(mean, sd), m}
}

// The stated error against the spread over 60 seeds, on exact draws of a skewed
// posterior: relative sd of the ratio 0.09, bounds some four times that away.
func TestErrorOfTheEvidence(t *testing.T) {
	c := infertest.BetaBinomial(3, 4)
	const runs, n = 60, 400
	var squares, stated float64
	for seed := range uint64(runs) {
		r := rng.New(seed, "bridge test", 0, 0)
		chains := make([][][]float64, 2)
		for k := range chains {
			for range n {
				q := make([]float64, 1)
				c.Draw(r, q)
				chains[k] = append(chains[k], q)
			}
		}
		tempered := c.Model.NewEvaluator().(infer.Tempered)
		e, err := bridge.Estimate(context.Background(), tempered, chains, bridge.Settings{Iterations: 1000, Tolerance: 1e-10}, r)
		if err != nil {
			t.Fatal(err)
		}
		squares += (e.Value - c.LogEvidence) * (e.Value - c.LogEvidence) / runs
		stated += e.Error * e.Error / runs
	}
	t.Logf("spread %.5f, stated %.5f", math.Sqrt(squares), math.Sqrt(stated))
	if ratio := math.Sqrt(stated / squares); ratio < 0.65 || ratio > 1.5 {
		t.Errorf("stated error %.5f, spread %.5f", math.Sqrt(stated), math.Sqrt(squares))
	}
}

func TestContracts(t *testing.T) {
	o := nuts.DefaultOptions()
	o.Warmup, o.Draws = 100, 100
	inner, err := nuts.New(o)
	if err != nil {
		t.Fatal(err)
	}
	m := method(t, inner)
	infertest.CheckDeterministic(t, m, infertest.ConjugateLine(3).Model)
	infertest.CheckFatal(t, m)
	infertest.CheckPanic(t, m)
	if p := infertest.CheckNoParameters(t, m); *p.LogEvidence != (infer.Estimate{Value: -3}) {
		t.Errorf("evidence of a constant model: %v", *p.LogEvidence)
	}
}

func TestCancelled(t *testing.T) {
	c := infertest.ConjugateLine(3)
	m := method(t, sampler(t))
	if p := infertest.CheckCancelled(t, m, c.Model, 30000); p.Draws.Total() == 0 {
		t.Error("a cancelled run lost its draws")
	}
	if p := infertest.CheckCancelled(t, m, c.Model, 100); p.LogEvidence != nil {
		t.Error("evidence without draws")
	}
}

// An approximation that misses most of the posterior is widened until it does not; from one
// that misses it altogether there is no error that could be believed.
func TestFarApproximation(t *testing.T) {
	c := infertest.ConjugateLine(2)
	evidence := func(sds float64) *infer.Estimate {
		q := normal.NewDiagonal([]float64{c.Mean[0] + sds*c.SD[0], c.Mean[1]}, c.SD)
		return infertest.Fit(t, method(t, fitted{q, sampler(t)}), c.Model, infer.Options{Seed: 1, Jobs: 2}).LogEvidence
	}
	check(t, "far", evidence(5), c.LogEvidence, 0.1)
	if e := evidence(1000); e != nil && !math.IsInf(e.Error, 1) {
		t.Errorf("evidence %v, want one with an infinite error or none", *e)
	}
}

// longer is a method whose points have whole numbers after the coordinates.
type longer struct{ infer.Markov }

func (l longer) Run(ctx context.Context, m infer.Model, o infer.Options) (*infer.Posterior, error) {
	p, err := l.Markov.Run(ctx, m, o)
	for _, chain := range p.Unconstrained {
		for i := range chain {
			chain[i] = append(chain[i], 7)
		}
	}
	return p, err
}

func TestWholeNumbersAreDropped(t *testing.T) {
	c := infertest.ConjugateLine(2)
	p := infertest.Fit(t, method(t, longer{sampler(t)}), c.Model, infer.Options{Seed: 1, Jobs: 2})
	check(t, "longer", p.LogEvidence, c.LogEvidence, 0.1)
}

func TestMissingParts(t *testing.T) {
	var missing *infer.MissingError
	if _, err := method(t, sampler(t)).Run(context.Background(), infertest.Correlated(0).Model, infer.Options{}); !errors.As(err, &missing) {
		t.Errorf("error %v", err)
	}
}

func TestOptionRanges(t *testing.T) {
	for _, change := range []func(*bridge.Options){
		func(o *bridge.Options) { o.Method = nil }, func(o *bridge.Options) { o.Iterations = 0 }, func(o *bridge.Options) { o.Tolerance = 0 },
	} {
		o := bridge.DefaultOptions(sampler(t))
		change(&o)
		if _, err := bridge.New(o); err == nil {
			t.Errorf("accepted %+v", o)
		}
	}
}
