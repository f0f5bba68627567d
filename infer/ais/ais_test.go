package ais_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/ais"
	"github.com/seed-12b88e03/ppl/infer/anneal"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/infer/hmc"
	"github.com/seed-12b88e03/ppl/infer/infertest"
	"github.com/seed-12b88e03/ppl/infer/mh"
	"github.com/seed-12b88e03/ppl/infer/normal"
	"github.com/seed-12b88e03/ppl/infer/nuts"
	"github.com/seed-12b88e03/ppl/infer/rng"
)

func kernels(t testing.TB) []infer.Markov {
	t.Helper()
	n, err1 := nuts.New(nuts.DefaultOptions())
	h, err2 := hmc.New(hmc.DefaultOptions())
	joint, err3 := mh.New(mh.DefaultOptions())
	o := mh.DefaultOptions()
	o.Proposal = mh.Single
	single, err4 := mh.New(o)
	if err := errors.Join(err1, err2, err3, err4); err != nil {
		t.Fatal(err)
	}
	return []infer.Markov{n, h, joint, single}
}

func method(t testing.TB, kernel infer.Markov, change func(*ais.Options)) *ais.Method {
	t.Helper()
	o := ais.DefaultOptions(kernel)
	if change != nil {
		change(&o)
	}
	m, err := ais.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// Evidence within 4 of its own standard errors, moments within 5: 48 runs with
// about 130 moments, a false alarm in about 200 seeds; the seed is fixed.
func TestEvidence(t *testing.T) {
	list := kernels(t)
	if testing.Short() {
		list = list[1:3]
	}
	for _, k := range list {
		for _, c := range infertest.EvidenceCases() {
			for _, schedule := range anneal.Schedules() {
				m := method(t, k, func(o *ais.Options) { o.Steps, o.Chains, o.Schedule = 100, 200, schedule })
				p := infertest.Fit(t, m, c.Model, infer.Options{Seed: 12, Jobs: 2})
				e := *p.LogEvidence
				if z := (e.Value - c.LogEvidence) / e.Error; !(math.Abs(z) < 4) {
					t.Errorf("%s, %s, %s: log evidence %.4f, exactly %.4f, error %.4f", k.Name(), c.Name, schedule, e.Value, c.LogEvidence, e.Error)
				}
				t.Logf("%s %s %s: %+.3f of %.3f", k.Name(), c.Name, schedule, e.Value-c.LogEvidence, e.Error)
				infertest.CheckWeightedMoments(t, p, c.Case, 5, 1)
			}
		}
	}
}

// Forward values are below the log evidence on average and reverse ones, from
// independent exact draws, above it; exp(forward) has mean p(y), exp(-reverse)
// has mean 1/p(y). Checked within 4 standard errors of 400 chains for each
// kernel: 16 comparisons, a false alarm in about 1,000 seeds. The steps are so
// many that log weights have an sd near 1, where the mean of their exponentials
// has an error that can be trusted.
func TestForwardAndReverse(t *testing.T) {
	c := infertest.ConjugateLine(2)
	const chains = 400
	for _, k := range kernels(t) {
		o := infer.Options{Seed: 3, Jobs: 2}
		plan, err := ais.Prepare(context.Background(), k, ais.FromPrior("test", c.Model), anneal.Adaptive, ais.DefaultPilot(), o)
		if err != nil {
			t.Fatal(err)
		}
		pool, err := plan.Pool(context.Background(), 2)
		if err != nil {
			t.Fatal(err)
		}
		betas := plan.Betas(map[string]int{"nuts": 20, "hmc": 40, "mh": 300}[k.Name()])
		forward, err := ais.Forward(context.Background(), pool, chains, betas, func(i int) *rand.Rand { return rng.New(3, "forward", uint64(i), 0) }, nil)
		if err != nil {
			t.Fatal(err)
		}
		f, minus := make([]float64, chains), make([]float64, chains)
		for i, x := range forward {
			f[i] = x.LogWeight
		}
		err = pool.Each(chains, func(m *anneal.Mover, i int) error {
			r := rng.New(3, "reverse", uint64(i), 0)
			q := make([]float64, 2)
			c.Draw(r, q)
			sum, err := m.Reverse(r, q, betas, false, nil)
			minus[i] = -sum
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		up, down := infer.LogMean(f), infer.LogMean(minus)
		if z := (up.Value - c.LogEvidence) / up.Error; math.Abs(z) > 4 {
			t.Errorf("%s: forward %.4f with error %.4f, exactly %.4f", k.Name(), up.Value, up.Error, c.LogEvidence)
		}
		if z := (down.Value + c.LogEvidence) / down.Error; math.Abs(z) > 4 {
			t.Errorf("%s: reverse %.4f with error %.4f, exactly %.4f", k.Name(), -down.Value, down.Error, c.LogEvidence)
		}
		low, high := [][]float64{f}, [][]float64{minus}
		if draws.Mean(low) > c.LogEvidence+4*draws.SD(low)/20 || -draws.Mean(high) < c.LogEvidence-4*draws.SD(high)/20 {
			t.Errorf("%s: sandwich %.3f < %.3f < %.3f is broken", k.Name(), draws.Mean(low), c.LogEvidence, -draws.Mean(high))
		}
		t.Logf("%s: %.3f < %.3f < %.3f", k.Name(), draws.Mean(low), c.LogEvidence, -draws.Mean(high))
	}
}

// fitted is a method that gives a normal density.
type fitted struct{ q *normal.Normal }

func (fitted) Name() string { return "fitted" }
func (f fitted) Run(context.Context, infer.Model, infer.Options) (*infer.Posterior, error) {
	return &infer.Posterior{Density: f.q}, nil
}

// From a normal q that is off in mean and spread, the evidence comes out; from
// the exact posterior, each weight is the evidence itself.
func TestFromApproximation(t *testing.T) {
	c := infertest.ConjugateLine(2)
	off := []float64{c.Mean[0] + 2*c.SD[0], c.Mean[1] - c.SD[1]}
	m := method(t, kernels(t)[0], func(o *ais.Options) {
		o.From, o.Steps, o.Schedule = fitted{normal.NewDiagonal(off, []float64{2 * c.SD[0], c.SD[1]})}, 50, anneal.Linear
	})
	p := infertest.Fit(t, m, c.Model, infer.Options{Seed: 4, Jobs: 2})
	if z := (p.LogEvidence.Value - c.LogEvidence) / p.LogEvidence.Error; !(math.Abs(z) < 4) || p.LogEvidence.Error > 0.2 {
		t.Errorf("log evidence %v, exactly %.4f", *p.LogEvidence, c.LogEvidence)
	}
	infertest.CheckWeightedMoments(t, p, c.Case, 5, 1)

	// Conjugate in one dimension: mean and sd say all.
	c = infertest.Conjugate("", mat.NewDense(1, 1, []float64{2}), []float64{1}, 0.7)
	m = method(t, kernels(t)[1], func(o *ais.Options) {
		o.From, o.Steps = fitted{normal.NewDiagonal(c.Mean, c.SD)}, 5
	})
	p = infertest.Fit(t, m, c.Model, infer.Options{Seed: 4})
	for _, w := range p.LogWeights[0] {
		if math.Abs(w-c.LogEvidence) > 1e-10 {
			t.Fatalf("log weight %.12f, exactly %.12f", w, c.LogEvidence)
		}
	}
}

func TestContracts(t *testing.T) {
	for _, k := range kernels(t)[:2] {
		m := method(t, k, func(o *ais.Options) { o.Steps, o.Chains, o.Schedule = 10, 20, anneal.Adaptive })
		infertest.CheckDeterministic(t, m, infertest.ConjugateLine(3).Model)
		infertest.CheckFatal(t, m)
		infertest.CheckPanic(t, m)
		if p := infertest.CheckNoParameters(t, m); *p.LogEvidence != (infer.Estimate{Value: -3}) {
			t.Errorf("evidence of a constant model: %v", *p.LogEvidence)
		}
	}
}

// Cut short, the chains that were done are there with their evidence.
func TestCancelled(t *testing.T) {
	c := infertest.ConjugateLine(3)
	m := method(t, kernels(t)[1], nil)
	p := infertest.CheckCancelled(t, m, c.Model, 400000)
	n := p.Draws.Total()
	if n == 0 || n == 100 || len(p.LogWeights[0]) != n || p.LogEvidence == nil {
		t.Fatalf("%d draws, %d weights, evidence %v", n, len(p.LogWeights[0]), p.LogEvidence)
	}
	if e := p.LogEvidence; math.Abs(e.Value-c.LogEvidence) > 5*e.Error {
		t.Errorf("log evidence %.3f with error %.3f, exactly %.3f", e.Value, e.Error, c.LogEvidence)
	}
	if p := infertest.CheckCancelled(t, m, c.Model, 100); p.Draws.Total() != 0 {
		t.Error("draws from a run that was still in its pilot")
	}
}

// A likelihood that is zero on half of the prior: dead chains have weight zero
// and the evidence stays right. theta ~ N(0, 1), y = 1 if theta > 0.
func TestHardLikelihood(t *testing.T) {
	m := infertest.FromParts(1, func(q []float64, _ float64, grad []float64) (float64, float64, error) {
		if grad != nil {
			grad[0] = -q[0]
		}
		if q[0] < 0 {
			return 0, 0, infer.Reject("theta is negative")
		}
		return -q[0]*q[0]/2 - math.Log(2*math.Pi)/2, 0, nil
	})
	m.Prior = infertest.ConjugateLine(1).Model.Prior
	p := infertest.Fit(t, method(t, kernels(t)[0], func(o *ais.Options) { o.Steps, o.Chains = 5, 2000 }), m, infer.Options{Seed: 1, Jobs: 2})
	if z := (p.LogEvidence.Value - math.Log(0.5)) / p.LogEvidence.Error; math.Abs(z) > 4 {
		t.Errorf("log evidence %v, exactly log(1/2)", *p.LogEvidence)
	}
}

func TestMissingParts(t *testing.T) {
	var missing *infer.MissingError
	m := method(t, kernels(t)[0], nil)
	if _, err := m.Run(context.Background(), infertest.Correlated(0).Model, infer.Options{}); !errors.As(err, &missing) || missing.Method != "ais" {
		t.Errorf("error %v", err)
	}
	improper := *infertest.ConjugateLine(1).Model
	improper.Prior = nil
	if _, err := m.Run(context.Background(), &improper, infer.Options{}); err == nil {
		t.Error("an improper prior was accepted")
	}
	m = method(t, kernels(t)[0], func(o *ais.Options) { o.From = kernels(t)[1] })
	if _, err := m.Run(context.Background(), infertest.ConjugateLine(1).Model, infer.Options{}); err == nil {
		t.Error("a method without a density was accepted as start")
	}
}

func TestOptionRanges(t *testing.T) {
	for _, change := range []func(*ais.Options){
		func(o *ais.Options) { o.Kernel = nil }, func(o *ais.Options) { o.Steps = 0 }, func(o *ais.Options) { o.Chains = 0 },
		func(o *ais.Options) { o.Schedule = "steep" },
	} {
		o := ais.DefaultOptions(kernels(t)[0])
		change(&o)
		if _, err := ais.New(o); err == nil {
			t.Errorf("accepted %+v", o)
		}
	}
}

// Of theta ~ N(0, 1) in 50 dimensions and y ~ N(theta, 0.1), each coordinate at 0, the log likelihood at beta is minus half a
// chi-square variable times 100/(1 + 100 beta), so that the path is sqrt(50/2) log(101) = 23.1 long. A pilot beside a few steps measures
// it in a number of temperatures that is about its log, and places one in the middle of it; the long one needs as many as its length.
func TestPilotBesideFewSteps(t *testing.T) {
	const dim, precision = 50, 100.0
	k := kernels(t)[0]
	x := mat.NewDense(dim, dim, nil)
	for i := range dim {
		x.Set(i, i, 1)
	}
	start := ais.FromPrior("test", infertest.Conjugate("normal", x, make([]float64, dim), 1/math.Sqrt(precision)).Model)
	of := func(p ais.Pilot) anneal.Ladder {
		plan, err := ais.Prepare(context.Background(), k, start, anneal.Adaptive, p, infer.Options{Seed: 5, Jobs: 2})
		if err != nil {
			t.Fatal(err)
		}
		return plan.Ladder
	}
	want := math.Sqrt(dim/2) * math.Log(1+precision)
	long, short := of(ais.DefaultPilot()), of(ais.DefaultPilot().Beside(12))
	for _, l := range []anneal.Ladder{long, short} {
		n := len(l.Length) - 1
		middle := l.Betas(2)[1]
		t.Logf("%d temperatures, length %.1f, exactly %.1f; half way at beta = %.3f, exactly %.3f", n, l.Length[n], want, middle, (math.Sqrt(1+precision)-1)/precision)
		if ratio := l.Length[n] / want; ratio < 0.7 || ratio > 1.4 {
			t.Errorf("length %.1f, exactly %.1f", l.Length[n], want)
		}
		if half := math.Sqrt(dim/2) * math.Log(1+precision*middle) / want; half < 0.35 || half > 0.65 {
			t.Errorf("half way is at %.2f of the path", half)
		}
	}
	if len(long.Beta) < 25 || len(short.Beta) > 9 {
		t.Errorf("%d and %d temperatures", len(long.Beta)-1, len(short.Beta)-1)
	}
}

// A pilot beside many steps is the whole one, beside fewer it has particles in proportion, and at least five.
func TestPilotBeside(t *testing.T) {
	for steps, want := range map[int][2]int{12: {5, 10}, 4000: {50, 100}, 1_000_000: {100, 200}} {
		if p := ais.DefaultPilot().Beside(steps); p.Particles != want[0] || p.Tune != want[1] || p.Small != steps {
			t.Errorf("beside %d steps: %+v", steps, p)
		}
	}
}
