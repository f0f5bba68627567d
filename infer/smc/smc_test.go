package smc_test

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/hmc"
	"github.com/seed-12b88e03/ppl/infer/infertest"
	"github.com/seed-12b88e03/ppl/infer/mh"
	"github.com/seed-12b88e03/ppl/infer/nuts"
	"github.com/seed-12b88e03/ppl/infer/smc"
)

// kernels are the Markov methods whose kernels are tried.
func kernels(t testing.TB) []infer.Markov {
	t.Helper()
	n, err := nuts.New(nuts.DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	h, err := hmc.New(hmc.DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	joint, err := mh.New(mh.DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	o := mh.DefaultOptions()
	o.Proposal = mh.Single
	single, err := mh.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return []infer.Markov{n, h, joint, single}
}

func method(t testing.TB, kernel infer.Markov, change func(*smc.Options)) *smc.Method {
	t.Helper()
	o := smc.DefaultOptions(kernel)
	if change != nil {
		change(&o)
	}
	m, err := smc.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// Evidence within 4 of its own standard errors, moments within 5 of those of
// independent draws, twice as wide since particles share ancestors: 24 runs, a
// false alarm in about 500 seeds; the seed is fixed.
func TestEvidence(t *testing.T) {
	list := kernels(t)
	if testing.Short() {
		list = list[1:3]
	}
	for _, k := range list {
		for _, c := range infertest.EvidenceCases() {
			for _, wasteFree := range []bool{false, true} {
				m := method(t, k, func(o *smc.Options) {
					if o.WasteFree = wasteFree; k.Name() == "mh" {
						o.Moves = 30
					}
				})
				p := infertest.Fit(t, m, c.Model, infer.Options{Seed: 11, Jobs: 2})
				e := *p.LogEvidence
				if z := (e.Value - c.LogEvidence) / e.Error; !(math.Abs(z) < 4) || e.Error > 0.2 {
					t.Errorf("%s, %s, waste-free %v: log evidence %.4f, exactly %.4f, error %.4f", k.Name(), c.Name, wasteFree, e.Value, c.LogEvidence, e.Error)
				}
				t.Logf("%s %s %v: %+.3f of %.3f, %d temperatures", k.Name(), c.Name, wasteFree, e.Value-c.LogEvidence, e.Error, len(p.Annealing.Beta))
				infertest.CheckWeightedMoments(t, p, c.Case, 5, 2)
			}
		}
	}
}

// The stated error against the spread over 60 seeds. The ratio of the two has
// relative sd 1/sqrt(120) = 0.09 beside the noise of single stated errors; the
// bounds 0.6 and 1.6 are some four times that away.
func TestErrorOfTheEvidence(t *testing.T) {
	if testing.Short() {
		t.Skip("120 runs")
	}
	c := infertest.ConjugateLine(2)
	for _, wasteFree := range []bool{false, true} {
		m := method(t, kernels(t)[1], func(o *smc.Options) {
			o.Particles, o.WasteFree = 200, wasteFree
		})
		const runs = 60
		var squares, stated, bias float64
		for seed := range uint64(runs) {
			e := *infertest.Fit(t, m, c.Model, infer.Options{Seed: seed, Jobs: 2}).LogEvidence
			d := e.Value - c.LogEvidence
			bias += d / runs
			squares += d * d / runs
			stated += e.Error * e.Error / runs
		}
		t.Logf("waste-free %v: bias %.3f, spread %.4f, stated %.4f", wasteFree, bias, math.Sqrt(squares), math.Sqrt(stated))
		if ratio := math.Sqrt(stated / squares); ratio < 0.6 || ratio > 1.6 {
			t.Errorf("waste-free %v: stated error %.4f, spread %.4f", wasteFree, math.Sqrt(stated), math.Sqrt(squares))
		}
	}
}

func TestContracts(t *testing.T) {
	for _, wasteFree := range []bool{false, true} {
		m := method(t, kernels(t)[1], func(o *smc.Options) { o.Particles, o.WasteFree = 60, wasteFree })
		infertest.CheckDeterministic(t, m, infertest.ConjugateLine(3).Model)
		infertest.CheckFatal(t, m)
		infertest.CheckPanic(t, m)
		if p := infertest.CheckNoParameters(t, m); *p.LogEvidence != (infer.Estimate{Value: -3}) {
			t.Errorf("evidence of a constant model: %v", *p.LogEvidence)
		}
	}
}

// Cut short, the particles are weighted towards the posterior, and a run that
// has none yet says so.
func TestCancelled(t *testing.T) {
	c := infertest.ConjugateLine(5)
	m := method(t, kernels(t)[1], nil)
	p := infertest.CheckCancelled(t, m, c.Model, 150000)
	if p.Draws.Total() != 1000 || len(p.LogWeights) != 1 || p.LogEvidence == nil {
		t.Fatalf("%d draws, weights %v, evidence %v", p.Draws.Total(), p.LogWeights != nil, p.LogEvidence)
	}
	if e := p.LogEvidence; math.Abs(e.Value-c.LogEvidence) > 4*e.Error {
		t.Errorf("log evidence %.3f with error %.3f, exactly %.3f", e.Value, e.Error, c.LogEvidence)
	}
	// Amid the draws from the prior, those made are there with their weights.
	p = infertest.CheckCancelled(t, m, c.Model, 100)
	if n := p.Draws.Total(); n < 90 || n > 102 || len(p.LogWeights) != 1 || p.LogEvidence == nil {
		t.Errorf("%d draws, weights %v, evidence %v", n, p.LogWeights != nil, p.LogEvidence)
	}
}

func TestMissingParts(t *testing.T) {
	var missing *infer.MissingError
	m := method(t, kernels(t)[0], nil)
	if _, err := m.Run(context.Background(), infertest.Correlated(0).Model, infer.Options{}); !errors.As(err, &missing) || missing.Method != "smc" {
		t.Errorf("error %v", err)
	}
	improper := *infertest.ConjugateLine(1).Model
	improper.Prior = nil
	if _, err := m.Run(context.Background(), &improper, infer.Options{}); err == nil {
		t.Error("an improper prior was accepted")
	}
	impossible := infertest.FromParts(1, func(q []float64, _ float64, grad []float64) (float64, float64, error) {
		return -q[0] * q[0] / 2, math.Inf(-1), nil
	})
	impossible.Prior = infertest.ConjugateLine(1).Model.Prior
	if _, err := m.Run(context.Background(), impossible, infer.Options{}); !errors.Is(err, smc.ErrNoSupport) {
		t.Errorf("error %v", err)
	}
}

func TestOptionRanges(t *testing.T) {
	for _, change := range []func(*smc.Options){
		func(o *smc.Options) { o.Kernel = nil }, func(o *smc.Options) { o.Particles = 1 }, func(o *smc.Options) { o.Threshold = 1 },
		func(o *smc.Options) { o.Moves = 0 }, func(o *smc.Options) { o.Tune = -1 },
	} {
		o := smc.DefaultOptions(kernels(t)[0])
		change(&o)
		if _, err := smc.New(o); err == nil {
			t.Errorf("accepted %+v", o)
		}
	}
}
