package mh_test

import (
	"math"
	"reflect"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/infer/infertest"
	"github.com/seed-12b88e03/ppl/infer/mh"
	"github.com/seed-12b88e03/ppl/infer/rng"
)

func method(t *testing.T, change func(*mh.Options)) *mh.Method {
	t.Helper()
	o := mh.DefaultOptions()
	if change != nil {
		change(&o)
	}
	m, err := mh.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// cases are those that a random walk can manage, and a Gaussian of unequal,
// far scales.
func cases() []infertest.Case {
	return []infertest.Case{
		infertest.Correlated(0), infertest.Correlated(0.9), infertest.Independent("8 scales", infertest.Scales(8)),
		infertest.Banana(0.7), infertest.LogGamma(), infertest.Logistic(), infertest.CountAndRate(),
	}
}

// About 90 comparisons at 5 standard errors: a false alarm in about 20,000
// seeds; the seed is fixed.
func TestMoments(t *testing.T) {
	if testing.Short() {
		t.Skip("the rank test looks at the same kernels")
	}
	for _, proposal := range []string{mh.Adaptive, mh.Single} {
		for _, c := range cases() {
			m := method(t, func(o *mh.Options) { o.Proposal, o.Warmup, o.Draws, o.Thin = proposal, 2000, 2000, 10 })
			infertest.CheckMoments(t, infertest.Fit(t, m, c.Model, infer.Options{Seed: 22, Jobs: 2}), c, 5, 1.02)
		}
	}
}

// A p-value below 1e-4 fails; 10 tests. The single-site sweep is not its own
// reversal, so this also tests Pair.
func TestRankOfExactDraw(t *testing.T) {
	replications := 20000
	if testing.Short() {
		replications = 2000
	}
	for _, c := range []infertest.Case{infertest.Correlated(0.9), infertest.Banana(0.7), infertest.LogGamma(), infertest.Logistic(), infertest.CountAndRate()} {
		for _, proposal := range []string{mh.Adaptive, mh.Single} {
			m := method(t, func(o *mh.Options) { o.Proposal, o.StepSize = proposal, 1.2 })
			k, _, err := m.NewKernel(c.Model.NewEvaluator(), 0)
			if err != nil {
				t.Fatal(err)
			}
			if p := infertest.CheckRank(t, c, k.(infer.Invertible), len(m.Stats()), replications); p < 1e-4 {
				t.Errorf("%s, %s: p = %.2g", c.Name, proposal, p)
			}
		}
	}
}

// tuned runs a warm-up and returns what was learned.
func tuned(t *testing.T, m *mh.Method, c infertest.Case, n int) draws.Adaptation {
	t.Helper()
	k, tuner, err := m.NewKernel(c.Model.NewEvaluator(), n)
	if err != nil {
		t.Fatal(err)
	}
	s := infer.State{Q: make([]float64, c.Model.Dim())}
	info := infer.Info{Stats: make([]float64, 2)}
	r := rng.New(1, "tuning", 0, 0)
	if err := k.Start(&s); err != nil {
		t.Fatal(err)
	}
	if err := tuner.Begin(r, &s); err != nil {
		t.Fatal(err)
	}
	for i := range n {
		if err := k.Step(r, &s, &info); err != nil {
			t.Fatal(err)
		}
		if err := tuner.Update(r, i, &s, &info); err != nil {
			t.Fatal(err)
		}
	}
	return tuner.Adaptation()
}

// The covariance learned has the shape of the target's. Of 4,000 steps of 3 moves three
// quarters count, which at 10 moves a draw makes 900 draws: relative errors near 0.05.
// Bound: four of them.
func TestMetricReachesTheCovariance(t *testing.T) {
	cov := mat.NewSymDense(3, []float64{4, 1.8, 0, 1.8, 1, 0.3, 0, 0.3, 900})
	c := infertest.Gaussian("", []float64{0, 0, 0}, cov)
	a := tuned(t, method(t, nil), c, 4000)
	for i := range 3 {
		for j := range 3 {
			scale := math.Sqrt(cov.At(i, i) * cov.At(j, j))
			if d := (a.InvMetric[i*3+j] - cov.At(i, j)) / scale; math.Abs(d) > 0.2 {
				t.Errorf("covariance (%d, %d) = %.3f, exactly %.3f", i, j, a.InvMetric[i*3+j], cov.At(i, j))
			}
		}
	}
}

// After warm-up the acceptance is near the one aimed at: 0.44 for each single
// move and in one dimension, 0.26 jointly in eight.
func TestAcceptance(t *testing.T) {
	for _, c := range []struct {
		proposal string
		model    infertest.Case
		want     float64
	}{
		{mh.Adaptive, infertest.Independent("", []float64{1e-4}), 0.44},
		{mh.Adaptive, infertest.Independent("", infertest.Scales(8)), 0.26},
		{mh.Single, infertest.Independent("", infertest.Scales(8)), 0.44},
		{mh.Single, infertest.Independent("", []float64{1e-4, 1e4}), 0.44},
	} {
		m := method(t, func(o *mh.Options) { o.Proposal, o.Warmup, o.Draws = c.proposal, 4000, 4000 })
		p := infertest.Fit(t, m, c.model.Model, infer.Options{Seed: 3, Jobs: 2})
		if a := draws.Mean(p.Draws.Column("accept_stat__")); math.Abs(a-c.want) > 0.07 {
			t.Errorf("%s in %d dimensions: acceptance %.3f, aimed at %.2f", c.proposal, c.model.Model.Dim(), a, c.want)
		}
	}
}

// TestNarrowPosterior: from starts millions of standard deviations away chains come to a narrow posterior, and learn its width, within a
// warm-up of the usual length.
func TestNarrowPosterior(t *testing.T) {
	for _, proposal := range []string{mh.Adaptive, mh.Single} {
		m := method(t, func(o *mh.Options) { o.Proposal, o.Warmup, o.Draws = proposal, 1000, 1000 })
		p := infertest.Fit(t, m, infertest.Independent("", []float64{1e-7, 3e-6}).Model, infer.Options{Seed: 5, Jobs: 2})
		for j, sd := range []float64{1e-7, 3e-6} {
			x := p.Draws.Column(p.Draws.Columns()[j])
			if r, s := draws.RHat(x), draws.SD(x); !(r < 1.05 && math.Abs(math.Log(s/sd)) < 0.25) {
				t.Errorf("%s: number %d has standard deviation %.3g, exactly %.3g, R-hat %.3f", proposal, j+1, s, sd, r)
			}
		}
	}
}

func TestAdopt(t *testing.T) {
	for _, proposal := range []string{mh.Adaptive, mh.Single} {
		m := method(t, func(o *mh.Options) { o.Proposal = proposal })
		for _, c := range []infertest.Case{infertest.Correlated(0.9), infertest.CountAndRate()} {
			want := tuned(t, m, c, 500)
			_, tuner, err := m.NewKernel(c.Model.NewEvaluator(), 0)
			if err != nil {
				t.Fatal(err)
			}
			if err := tuner.Adopt(want); err != nil {
				t.Fatal(err)
			}
			got := tuner.Adaptation()
			for i := range want.InvMetric {
				if d := got.InvMetric[i] - want.InvMetric[i]; math.Abs(d) > 1e-12*math.Abs(want.InvMetric[i]) {
					t.Errorf("%s: adopted %v, now %v", proposal, want, got)
					break
				}
			}
			got.InvMetric = want.InvMetric
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%s: adopted %v, now %v", proposal, want, got)
			}
			for _, spoil := range []func(*draws.Adaptation){
				func(a *draws.Adaptation) { a.StepSize = 0 }, func(a *draws.Adaptation) { a.InvMetric = a.InvMetric[1:] },
				func(a *draws.Adaptation) { a.InvMetric[0] = -1 }, func(a *draws.Adaptation) { a.MetricType = draws.MetricUnit },
			} {
				bad := want
				bad.InvMetric = append([]float64(nil), want.InvMetric...)
				spoil(&bad)
				if tuner.Adopt(bad) == nil {
					t.Errorf("%s: adopted %+v", proposal, bad)
				}
			}
		}
	}
}

func TestContracts(t *testing.T) {
	for _, proposal := range []string{mh.Adaptive, mh.Single} {
		short := method(t, func(o *mh.Options) { o.Proposal, o.Warmup, o.Draws = proposal, 200, 100 })
		infertest.CheckDeterministic(t, short, infertest.Banana(0.7).Model)
		infertest.CheckAllocations(t, short, infertest.CountAndRate().Model)
		infertest.CheckFatal(t, short)
		infertest.CheckPanic(t, short)
		infertest.CheckNoParameters(t, method(t, func(o *mh.Options) { o.Proposal = proposal }))
		if p := infertest.CheckCancelled(t, method(t, func(o *mh.Options) { o.Proposal = proposal }), infertest.Banana(0.7).Model, 6000); p.Draws.Total() == 0 {
			t.Error("a cancelled run lost its draws")
		}
	}
}

func TestOptionRanges(t *testing.T) {
	for _, change := range []func(*mh.Options){
		func(o *mh.Options) { o.Proposal = "joint" }, func(o *mh.Options) { o.StepSize = -1 }, func(o *mh.Options) { o.StepSize = math.NaN() },
	} {
		o := mh.DefaultOptions()
		change(&o)
		if _, err := mh.New(o); err == nil {
			t.Errorf("accepted %+v", o)
		}
	}
}
