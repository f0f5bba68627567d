package hmc_test

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/infer/hmc"
	"github.com/seed-12b88e03/ppl/infer/infertest"
)

func method(t *testing.T, change func(*hmc.Options)) *hmc.Method {
	t.Helper()
	o := hmc.DefaultOptions()
	if change != nil {
		change(&o)
	}
	m, err := hmc.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// About 170 comparisons at 5 standard errors: a false alarm in about 10,000
// seeds; the seed is fixed.
func TestMoments(t *testing.T) {
	for _, metric := range []string{draws.MetricDiagonal, draws.MetricDense} {
		for _, c := range infertest.Cases() {
			m := method(t, func(o *hmc.Options) {
				o.Metric = metric
				if c.Model.Dim() > 10 { // starts 490 units away: short trajectories would not get there in warm-up
					o.Leapfrogs = 100
				}
			})
			infertest.CheckMoments(t, infertest.Fit(t, m, c.Model, infer.Options{Seed: 21, Jobs: 2}), c, 5, 1.02)
		}
	}
}

// Step sizes far too coarse on purpose. A p-value below 1e-4 fails; 8 tests.
func TestRankOfExactDraw(t *testing.T) {
	replications := 20000
	if testing.Short() {
		replications = 2000
	}
	for _, c := range []infertest.Case{infertest.Correlated(0.9), infertest.Banana(0.7), infertest.LogGamma(), infertest.Logistic()} {
		for _, step := range []float64{0.4, 1.1} {
			h, _, err := hmc.DefaultTuning().New(c.Model.NewEvaluator(), 0)
			if err != nil {
				t.Fatal(err)
			}
			h.StepSize = step
			if p := infertest.CheckRank(t, c, hmc.NewKernel(h, 4, 1), 6, replications); p < 1e-4 {
				t.Errorf("%s, step %g: p = %.2g", c.Name, step, p)
			}
		}
	}
}

// The acceptance of trajectories of random length is a bumpy function of the
// step size, so 0.15 is as near as dual averaging gets over seeds.
func TestAcceptanceNearDelta(t *testing.T) {
	for _, delta := range []float64{0.6, 0.9} {
		m := method(t, func(o *hmc.Options) { o.Delta = delta })
		p := infertest.Fit(t, m, infertest.Independent("", infertest.Scales(20)).Model, infer.Options{Seed: 8, Jobs: 2})
		if a := draws.Mean(p.Draws.Column("accept_stat__")); math.Abs(a-delta) > 0.15 {
			t.Errorf("delta %g: average acceptance %.3f", delta, a)
		}
	}
}

// The jittered number of steps has mean L and stays within half and one and a
// half of it.
func TestJitter(t *testing.T) {
	for _, l := range []int{1, 2, 7, 10} {
		m := method(t, func(o *hmc.Options) { o.Leapfrogs, o.Warmup, o.Chains = l, 0, 1; o.StepSize = 0.1 })
		p := infertest.Fit(t, m, infertest.Correlated(0).Model, infer.Options{Seed: 2})
		x := p.Draws.Column("n_leapfrog__")
		for _, n := range x[0] {
			if n < float64((l+1)/2) || n > float64(2*l-(l+1)/2) {
				t.Fatalf("leapfrogs %d: a trajectory of %g steps", l, n)
			}
		}
		// Uniform on at most l+1 numbers: sd below 0.3 (l+1); 5 errors of 1000.
		if got := draws.Mean(x); math.Abs(got-float64(l)) > 5*0.3*float64(l+1)/math.Sqrt(1000) {
			t.Errorf("leapfrogs %d: mean %.2f", l, got)
		}
	}
}

func TestContracts(t *testing.T) {
	short := method(t, func(o *hmc.Options) { o.Warmup, o.Draws = 100, 50 })
	infertest.CheckDeterministic(t, short, infertest.Banana(0.7).Model)
	infertest.CheckAllocations(t, short, infertest.Logistic().Model)
	infertest.CheckFatal(t, short)
	infertest.CheckPanic(t, short)
	infertest.CheckNoParameters(t, method(t, nil))
	if p := infertest.CheckCancelled(t, method(t, nil), infertest.Banana(0.7).Model, 30000); p.Draws.Total() == 0 {
		t.Error("a cancelled run lost its draws")
	}
}

// Beyond 1 the model rejects: a trajectory that goes there ends in a rejection, and is no
// divergence unless the step size was too large for the curvature.
func TestRejectionIsARecord(t *testing.T) {
	cliff := func(slope float64) *infertest.Model {
		return infertest.FromFunc(1, func(q, grad []float64) (float64, error) {
			if q[0] > 1 {
				return 0, infer.Reject("q is beyond the cliff")
			}
			if grad != nil {
				grad[0] = slope
			}
			return slope*q[0] - 0.001*q[0]*q[0], nil
		})
	}
	p := infertest.Fit(t, method(t, nil), cliff(1), infer.Options{Seed: 4, Jobs: 2})
	for _, c := range p.Chains {
		if c.DivergenceCount != 0 || c.RejectionCount == 0 {
			t.Errorf("%d divergences, %d rejections", c.DivergenceCount, c.RejectionCount)
		}
		for _, r := range c.Rejections {
			if r.Point[0] <= 1 || r.Cause == nil {
				t.Fatalf("rejection %+v", r)
			}
		}
	}
	steep := method(t, func(o *hmc.Options) { o.Warmup, o.StepSize = 0, 1 })
	p = infertest.Fit(t, steep, cliff(1000), infer.Options{Seed: 4, Jobs: 2})
	marked, counted := 0.0, 0
	for i, c := range p.Chains {
		counted += c.DivergenceCount
		for _, x := range p.Draws.Column("divergent__")[i] {
			marked += x
		}
	}
	if marked == 0 || int(marked) != counted {
		t.Errorf("divergent__ marks %g draws, the reports count %d", marked, counted)
	}
	for _, d := range p.Divergences() {
		if !(d.Start[0] <= 1 && d.End[0] > 1) || !math.IsInf(d.EnergyError, 1) || d.Cause == nil || d.Warmup {
			t.Fatalf("divergence %+v", d)
		}
	}
}

func TestWholeNumbersAreRefused(t *testing.T) {
	var missing *infer.MissingError
	if _, err := method(t, nil).Run(context.Background(), infertest.CountAndRate().Model, infer.Options{}); !errors.As(err, &missing) {
		t.Errorf("error %v", err)
	}
}

func TestOptionRanges(t *testing.T) {
	for _, change := range []func(*hmc.Options){
		func(o *hmc.Options) { o.Leapfrogs = 0 }, func(o *hmc.Options) { o.MaxEnergyError = 0 }, func(o *hmc.Options) { o.Delta = 2 },
	} {
		o := hmc.DefaultOptions()
		change(&o)
		if _, err := hmc.New(o); err == nil {
			t.Errorf("accepted %+v", o)
		}
	}
}
