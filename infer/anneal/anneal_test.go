package anneal_test

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/anneal"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/infer/hmc"
	"github.com/seed-12b88e03/ppl/infer/infertest"
	"github.com/seed-12b88e03/ppl/infer/mh"
	"github.com/seed-12b88e03/ppl/infer/normal"
	"github.com/seed-12b88e03/ppl/infer/nuts"
	"github.com/seed-12b88e03/ppl/infer/rng"
)

func TestSchedules(t *testing.T) {
	for _, kind := range anneal.Schedules() {
		for _, n := range []int{1, 2, 10, 999} {
			b := anneal.Betas(kind, n)
			if len(b) != n+1 || b[0] != 0 || b[n] != 1 {
				t.Fatalf("%s, %d steps: %d betas from %g to %g", kind, n, len(b), b[0], b[n])
			}
			for i := 1; i <= n; i++ {
				if !(b[i] > b[i-1]) {
					t.Fatalf("%s, %d steps: %g does not follow %g", kind, n, b[i], b[i-1])
				}
			}
		}
	}
	// By hand: s(-2) = 0.1192029220, s(-4) = 0.0179862100.
	if got, want := anneal.Betas(anneal.Sigmoidal, 4)[1], (0.1192029220-0.0179862100)/(1-2*0.0179862100); math.Abs(got-want) > 1e-9 {
		t.Errorf("sigmoidal, a quarter of the way: %.10f, want %.10f", got, want)
	}
	if got := anneal.Betas(anneal.Geometric, 4)[2]; math.Abs(got-0.01) > 1e-15 {
		t.Errorf("geometric, half way: %g, want 0.01", got)
	}
	if got := anneal.Betas(anneal.Linear, 4)[3]; got != 0.75 {
		t.Errorf("linear: %g, want 0.75", got)
	}
	if anneal.CheckSchedule("adaptive") != nil || anneal.CheckSchedule("steep") == nil {
		t.Error("names of schedules")
	}
}

// A ladder with beta = length^2 gives betas (i/n)^2, up to interpolation.
func TestLadder(t *testing.T) {
	var l anneal.Ladder
	for i := range 21 {
		x := float64(i) / 20
		l.Beta, l.Length = append(l.Beta, x*x), append(l.Length, 3*x)
	}
	b := l.Betas(30)
	for i := range b {
		x := float64(i) / 30
		if math.Abs(b[i]-x*x) > 1e-3 {
			t.Errorf("beta %d: %.5f, want %.5f", i, b[i], x*x)
		}
	}
	short := anneal.Ladder{Beta: []float64{0, 1}, Length: []float64{0, 1}}
	if b := short.Betas(4); b[0] != 0 || b[1] != 0.25 || b[4] != 1 {
		t.Errorf("a ladder of one step: %v", b)
	}
}

func TestTuning(t *testing.T) {
	tuning := anneal.Tuning{Knots: []anneal.Knot{
		{Beta: 0.1, Adaptation: draws.Adaptation{StepSize: 1, MetricType: draws.MetricDiagonal, InvMetric: []float64{1, 2}}},
		{Beta: 0.3, Adaptation: draws.Adaptation{StepSize: 0.25, MetricType: draws.MetricDiagonal, InvMetric: []float64{3, 6}}},
	}}
	var a draws.Adaptation
	for _, c := range []struct{ beta, step, first float64 }{{0, 1, 1}, {0.1, 1, 1}, {0.2, 0.5, 2}, {0.3, 0.25, 3}, {1, 0.25, 3}} {
		if !tuning.At(c.beta, &a) || math.Abs(a.StepSize-c.step) > 1e-14 || math.Abs(a.InvMetric[0]-c.first) > 1e-14 || math.Abs(a.InvMetric[1]-2*c.first) > 1e-14 {
			t.Errorf("at %g: %+v, want step size %g and variance %g", c.beta, a, c.step, c.first)
		}
	}
	if tuning.Knots[1].Adaptation.InvMetric[0] != 3 {
		t.Error("a knot was written to")
	}
	if (anneal.Tuning{}).At(0.5, &a) {
		t.Error("a tuning without knots gave one")
	}
}

// Values and gradients of the paths from the prior and from an approximation,
// against the parts and against central differences.
func TestPaths(t *testing.T) {
	c := infertest.ConjugateLine(3)
	q := normal.NewDiagonal([]float64{0.5, -1, 2}, []float64{0.7, 1.3, 0.2})
	model := c.Model.NewEvaluator()
	prior, err := anneal.NewSource("test", model)
	if err != nil {
		t.Fatal(err)
	}
	r := rng.New(1, "path", 0, 0)
	x, grad := make([]float64, 3), make([]float64, 3)
	for name, s := range map[string]anneal.Source{"prior": prior, "approximation": anneal.NewBetween(q, model.(infer.Tempered))} {
		p := anneal.NewPath(context.Background(), s)
		for _, beta := range []float64{0, 0.3, 1} {
			p.SetBeta(beta)
			c.Draw(r, x)
			lp, err := p.LogDensityGrad(x, grad)
			if err != nil {
				t.Fatal(err)
			}
			first, likelihood, err := s.LogDensityParts(x)
			if err != nil || math.Abs(lp-first-beta*likelihood) > 1e-10 {
				t.Errorf("%s at %g: %g, parts %g and %g, %v", name, beta, lp, first, likelihood, err)
			}
			if beta == 1 {
				if full, _ := model.LogDensity(x); math.Abs(full-lp) > 1e-10 {
					t.Errorf("%s: ends at %g, the model says %g", name, lp, full)
				}
			}
			for i := range x {
				const h = 1e-5
				at := x[i]
				x[i] = at + h
				up, _ := p.LogDensity(x)
				x[i] = at - h
				down, _ := p.LogDensity(x)
				x[i] = at
				if d := (up - down) / (2 * h); math.Abs(d-grad[i]) > 1e-5*(1+math.Abs(d)) {
					t.Errorf("%s at %g: gradient %d is %g, differences give %g", name, beta, i, grad[i], d)
				}
			}
		}
	}
}

// A step of a chain along a path allocates nothing, tuning included.
func TestNoAllocationsPerStep(t *testing.T) {
	c := infertest.ConjugateLine(4)
	n, _ := nuts.New(nuts.DefaultOptions())
	h, _ := hmc.New(hmc.DefaultOptions())
	m, _ := mh.New(mh.DefaultOptions())
	for _, method := range []infer.Markov{n, h, m} {
		s, err := anneal.NewSource("test", c.Model.NewEvaluator())
		if err != nil {
			t.Fatal(err)
		}
		mover, err := anneal.NewMover(context.Background(), s, method)
		if err != nil {
			t.Fatal(err)
		}
		a := draws.Adaptation{StepSize: 0.3, MetricType: draws.MetricDiagonal, InvMetric: []float64{0.1, 0.1, 0.1, 0.1}}
		if method.Name() == "mh" {
			a.MetricType, a.InvMetric = draws.MetricDense, []float64{0.1, 0, 0, 0, 0, 0.1, 0, 0, 0, 0, 0.1, 0, 0, 0, 0, 0.1}
		}
		mover.Freeze(anneal.Tuning{Knots: []anneal.Knot{{Beta: 0.1, Adaptation: a}, {Beta: 1, Adaptation: a}}})
		r := rng.New(1, "alloc", 0, 0)
		q, betas := make([]float64, 4), anneal.Betas(anneal.Linear, 20)
		run := func() {
			if _, err := mover.Forward(r, q, betas, nil); err != nil {
				t.Fatal(err)
			}
		}
		run()
		if got := testing.AllocsPerRun(20, run); got != 0 {
			t.Errorf("%s: %g allocations for a chain", method.Name(), got)
		}
	}
}

// TestLadderStartsSlowly: up to the first rung beta is the square of the share of the length.
func TestLadderStartsSlowly(t *testing.T) {
	b := anneal.Ladder{Beta: []float64{0, 0.1, 1}, Length: []float64{0, 1, 3}}.Betas(30)
	if math.Abs(b[1]-0.001) > 1e-12 || math.Abs(b[5]-0.025) > 1e-12 || math.Abs(b[10]-0.1) > 1e-12 || !slices.IsSorted(b) {
		t.Errorf("%v", b)
	}
}
