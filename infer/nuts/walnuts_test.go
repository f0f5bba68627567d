package nuts_test

import (
	"math"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/infer/hmc"
	"github.com/seed-12b88e03/ppl/infer/infertest"
	"github.com/seed-12b88e03/ppl/infer/nuts"
	"github.com/seed-12b88e03/ppl/infer/rng"
)

func walnuts(t *testing.T, change func(*nuts.Options)) *nuts.Method {
	t.Helper()
	return method(t, func(o *nuts.Options) {
		w := nuts.WalnutsOptions()
		o.StepError, o.MaxHalvings, o.Walnuts = w.StepError, w.MaxHalvings, true
		if change != nil {
			change(o)
		}
	})
}

// kernel is one whose trajectories have at most four doublings.
func kernel(t *testing.T, c infertest.Case, step float64) *nuts.Kernel {
	t.Helper()
	h, _, err := hmc.DefaultTuning().New(c.Model.NewEvaluator(), 0)
	if err != nil {
		t.Fatal(err)
	}
	h.StepSize = step
	return nuts.NewKernel(h, 4, 1000)
}

// Means and standard deviations beside the exact ones, at most 5 Monte Carlo errors off: a false alarm in 20,000 seeds.
func TestWalnutsMoments(t *testing.T) {
	for _, c := range infertest.Cases() {
		t.Run(c.Name, func(t *testing.T) {
			infertest.CheckMoments(t, infertest.Fit(t, walnuts(t, nil), c.Model, infer.Options{Seed: 20, Jobs: 2}), c, 5, 1.02)
		})
	}
}

// The kernel leaves its target alone where most steps are divided and many trajectories end because a step
// could not be made back alike, whether warm-up divides them, too, or not. Thirty-two p-values against 1e-4: a false alarm in 300 seeds.
func TestWalnutsLeavesTheTargetInvariant(t *testing.T) {
	replications := 8000
	if testing.Short() {
		replications = 2000
	}
	for _, c := range []infertest.Case{infertest.Correlated(0.9), infertest.Banana(0.7), infertest.LogGamma(), infertest.Logistic()} {
		for _, step := range []float64{0.9, 2} {
			for _, bound := range []float64{0.1, 0.7} {
				for _, divide := range []func(*nuts.Kernel){
					func(k *nuts.Kernel) { k.Divide(6, bound) },
					func(k *nuts.Kernel) { k.DivideSampling(6, bound); k.Keep() },
				} {
					k := kernel(t, c, step)
					divide(k)
					if p := infertest.CheckRank(t, c, k, 6, replications); p < 1e-4 {
						t.Errorf("%s, step %g, bound %g: p = %.2g", c.Name, step, bound, p)
					}
				}
			}
		}
	}
}

// funnel is Neal's in four dimensions: the log scale is normal with sd 3, and one step size cannot do.
func funnel() infer.Model {
	const dim = 4
	return infertest.FromFunc(dim, func(q, grad []float64) (float64, error) {
		y := q[0]
		lp, precision := -y*y/18, math.Exp(-y)
		grad[0] = -y / 9
		for i := 1; i < dim; i++ {
			lp += -y/2 - q[i]*q[i]*precision/2
			grad[0] += -0.5 + q[i]*q[i]*precision/2
			grad[i] = -q[i] * precision
		}
		return lp, nil
	})
}

// The moments of the funnel's log scale are within 5 of their Monte Carlo errors of 0 and 3, a false alarm in a million seeds, and
// there are hardly any divergences, where nuts has hundreds. Steps that are divided in sampling alone leave warm-up as it is.
func TestDividedStepsOnTheFunnel(t *testing.T) {
	longer := func(o *nuts.Options) { o.Draws = 8000 }
	plain := infertest.Fit(t, method(t, longer), funnel(), infer.Options{Seed: 5, Jobs: 2})
	for _, m := range []*nuts.Method{
		walnuts(t, longer),
		method(t, func(o *nuts.Options) { longer(o); o.StepError, o.MaxHalvings = 10, 8 }),
	} {
		p := infertest.Fit(t, m, funnel(), infer.Options{Seed: 5, Jobs: 2})
		x := p.Draws.Column(p.Draws.Columns()[0])
		if z := draws.Mean(x) / draws.MCSEMean(x); math.Abs(z) > 5 {
			t.Errorf("%s: mean %.3g: %.1f standard errors off", m.Name(), draws.Mean(x), z)
		}
		if z := (draws.SD(x) - 3) / draws.MCSESD(x); math.Abs(z) > 5 {
			t.Errorf("%s: sd %.3g: %.1f standard errors off", m.Name(), draws.SD(x), z)
		}
		if n, of := len(p.Divergences()), len(plain.Divergences()); n*20 > of {
			t.Errorf("%s: %d transitions diverged, of plain nuts %d", m.Name(), n, of)
		}
		if same := p.Chains[0].Adaptation.StepSize == plain.Chains[0].Adaptation.StepSize; same != (m.Name() == "nuts") {
			t.Errorf("%s: its warm-up ends as that of plain nuts: %v", m.Name(), same)
		}
	}
}

// A step into a region of density zero is no fault of the integrator, and is not made shorter: trajectories end there as those of
// plain nuts do, and cost as much.
func TestRejectionsAreNotDivided(t *testing.T) {
	half := infertest.FromFunc(1, func(q, grad []float64) (float64, error) {
		grad[0] = -q[0]
		if q[0] > 1.5 {
			return 0, infer.Reject("too large")
		}
		return -q[0] * q[0] / 2, nil
	})
	plain := infertest.Fit(t, method(t, nil), half, infer.Options{Seed: 5, Jobs: 2})
	divided := infertest.Fit(t, method(t, func(o *nuts.Options) { o.StepError, o.MaxHalvings = 10, 8 }), half, infer.Options{Seed: 5, Jobs: 2})
	if !infertest.SameDraws(plain, divided) {
		t.Error("the draws are not those of plain nuts")
	}
	rejections, divergences := 0, 0
	for _, c := range divided.Chains {
		rejections, divergences = rejections+c.RejectionCount, divergences+c.DivergenceCount
	}
	if rejections < 100 || divergences > 0 {
		t.Errorf("%d rejections and %d divergences", rejections, divergences)
	}
	x := infertest.Fit(t, walnuts(t, nil), half, infer.Options{Seed: 5, Jobs: 2})
	if got, of := draws.Mean(x.Draws.Column("n_leapfrog__")), draws.Mean(plain.Draws.Column("n_leapfrog__")); got > 10*of {
		t.Errorf("walnuts needs %.3g gradients a draw, nuts %.3g", got, of)
	}
}

// Where steps are short enough for one leapfrog step each, the trajectories are those of nuts, to the bit.
func TestWalnutsWithoutDivisionIsNUTS(t *testing.T) {
	c := infertest.Correlated(0.5)
	plain, divided := kernel(t, c, 0.05), kernel(t, c, 0.05)
	divided.Divide(5, 10)
	states := [2]infer.State{{Q: make([]float64, 2)}, {Q: make([]float64, 2)}}
	info := infer.Info{Stats: make([]float64, 6)}
	for i, k := range []*nuts.Kernel{plain, divided} {
		r := rng.New(3, "walnuts", 0, 0)
		if err := k.Start(&states[i]); err != nil {
			t.Fatal(err)
		}
		for range 50 {
			if err := k.Step(r, &states[i], &info); err != nil {
				t.Fatal(err)
			}
		}
		if i == 1 && info.AcceptStat != 1 {
			t.Errorf("steps were divided: the statistic is %g", info.AcceptStat)
		}
	}
	if states[0].Q[0] != states[1].Q[0] || states[0].Q[1] != states[1].Q[1] {
		t.Errorf("nuts is at %v, walnuts at %v", states[0].Q, states[1].Q)
	}
}

func TestWalnutsAllocatesNothing(t *testing.T) {
	infertest.CheckAllocations(t, walnuts(t, nil), infertest.Banana(0.7).Model)
}

// The share of steps that need no division comes near delta; as with nuts, dual averaging ends somewhat above.
func TestWalnutsReachesDelta(t *testing.T) {
	p := infertest.Fit(t, walnuts(t, nil), infertest.Banana(0.7).Model, infer.Options{Seed: 2, Jobs: 2})
	if got := draws.Mean(p.Draws.Column("accept_stat__")); math.Abs(got-0.8) > 0.15 {
		t.Errorf("%.3f of the steps are whole, wanted 0.8", got)
	}
}

func TestWalnutsOptionRanges(t *testing.T) {
	for _, change := range []func(*nuts.Options){
		func(o *nuts.Options) { o.MaxHalvings = 21 }, func(o *nuts.Options) { o.StepError = 0 },
		func(o *nuts.Options) { o.StepError = math.NaN() }, func(o *nuts.Options) { o.StepError = 1001 },
	} {
		o := nuts.WalnutsOptions()
		change(&o)
		if _, err := nuts.New(o); err == nil || !strings.HasPrefix(err.Error(), "walnuts: max_") {
			t.Errorf("%+v: %v", o, err)
		}
	}
}
