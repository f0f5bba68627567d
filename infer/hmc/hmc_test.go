package hmc

import (
	"errors"
	"math"
	"reflect"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/infer/infertest"
	"github.com/seed-12b88e03/ppl/infer/rng"
)

// The ends of the windows for the default warm-up are those of the Stan
// reference manual's figure: 75, 100, 150, 250, 450, 950, 1000.
func TestSchedule(t *testing.T) {
	for _, c := range []struct {
		n    int
		want []Window
	}{
		{0, nil},
		{19, []Window{{0, 19, false}}},
		{20, []Window{{0, 3, false}, {3, 18, true}, {18, 20, false}}},
		{100, []Window{{0, 15, false}, {15, 90, true}, {90, 100, false}}},
		{150, []Window{{0, 75, false}, {75, 100, true}, {100, 150, false}}},
		{160, []Window{{0, 75, false}, {75, 100, true}, {100, 110, true}, {110, 160, false}}},
		{300, []Window{{0, 75, false}, {75, 100, true}, {100, 150, true}, {150, 250, true}, {250, 300, false}}},
		{400, []Window{{0, 75, false}, {75, 100, true}, {100, 150, true}, {150, 350, true}, {350, 400, false}}},
		{1000, []Window{
			{0, 75, false}, {75, 100, true}, {100, 150, true}, {150, 250, true}, {250, 450, true}, {450, 950, true}, {950, 1000, false},
		}},
	} {
		if got := Schedule(c.n, StanBuffers()); !reflect.DeepEqual(got, c.want) {
			t.Errorf("Schedule(%d) = %v, want %v", c.n, got, c.want)
		}
	}
}

func TestScheduleCoversTheWarmup(t *testing.T) {
	for n := 1; n < 3000; n++ {
		at := 0
		for _, w := range Schedule(n, StanBuffers()) {
			if w.Start != at || w.End <= w.Start {
				t.Fatalf("Schedule(%d): window %v does not follow %d", n, w, at)
			}
			at = w.End
		}
		if at != n {
			t.Fatalf("Schedule(%d) ends at %d", n, at)
		}
	}
}

// One step by hand: n = 1, w = 1/11, gap = (0.8-0.5)/11, x = log(10*0.1) -
// gap/0.05 = -0.545454..., which is also the average.
func TestDualAveragingFirstStep(t *testing.T) {
	d := DualAveraging{Delta: 0.8, Gamma: 0.05, Kappa: 0.75, T0: 10}
	d.Restart(0.1)
	want := math.Exp(-6.0 / 11)
	if got := d.Update(0.5); math.Abs(got-want) > 1e-15 {
		t.Errorf("first step size %.17g, want %.17g", got, want)
	}
	if got := d.Final(); math.Abs(got-want) > 1e-15 {
		t.Errorf("average %.17g, want %.17g", got, want)
	}
}

// With an acceptance of exp(-step) the fixed point for delta 0.8 is -log(0.8).
func TestDualAveragingConverges(t *testing.T) {
	d := DualAveraging{Delta: 0.8, Gamma: 0.05, Kappa: 0.75, T0: 10}
	d.Restart(1)
	step := 1.0
	for range 5000 {
		step = d.Update(math.Exp(-step))
	}
	if want := -math.Log(0.8); math.Abs(d.Final()/want-1) > 0.02 {
		t.Errorf("step size %.4f, want %.4f", d.Final(), want)
	}
}

// Halving the step must divide the energy error over a fixed time by four, and
// going back must return to the start.
func TestLeapfrogOrderAndReversal(t *testing.T) {
	c := infertest.Banana(0.7)
	h, _, err := DefaultTuning().New(c.Model.NewEvaluator(), 0)
	if err != nil {
		t.Fatal(err)
	}
	s := infer.State{Q: []float64{0.3, -0.2}}
	if err := h.Start(&s); err != nil {
		t.Fatal(err)
	}
	run := func(step float64, n int) (start, end Point) {
		a, b := NewPoint(2), NewPoint(2)
		h.Load(rng.New(1, "leapfrog", 0, 0), &s, &a)
		start = NewPoint(2)
		copy(start.Q, a.Q)
		start.Energy = a.Energy
		for range n {
			if err := h.Leapfrog(&a, &b, step); err != nil {
				t.Fatal(err)
			}
			a, b = b, a
		}
		end = a
		for range n {
			if err := h.Leapfrog(&a, &b, -step); err != nil {
				t.Fatal(err)
			}
			a, b = b, a
		}
		for i := range a.Q {
			if math.Abs(a.Q[i]-start.Q[i]) > 1e-12 {
				t.Errorf("step %g: back at %v, started from %v", step, a.Q, start.Q)
			}
		}
		return start, end
	}
	coarse0, coarse := run(0.02, 50)
	fine0, fine := run(0.01, 100)
	ratio := (coarse.Energy - coarse0.Energy) / (fine.Energy - fine0.Energy)
	if math.Abs(ratio-4) > 0.1 {
		t.Errorf("energy error falls by %.3f when the step is halved, want 4", ratio)
	}
}

// E[p p'] must be M, the inverse of the inverse metric. 40,000 draws, relative
// sd of a product moment at most sqrt(2/40000) = 0.007; bound 6 of them.
func TestMomentumCovariance(t *testing.T) {
	inv := []float64{2, 0.6, 0.6, 0.5}
	for _, kind := range []string{draws.MetricUnit, draws.MetricDiagonal, draws.MetricDense} {
		m, err := NewMetric(kind, 2)
		if err != nil {
			t.Fatal(err)
		}
		full := mat.NewDense(2, 2, []float64{1, 0, 0, 1})
		switch kind {
		case draws.MetricDiagonal:
			err = m.Set([]float64{2, 0.5})
			full = mat.NewDense(2, 2, []float64{2, 0, 0, 0.5})
		case draws.MetricDense:
			err = m.Set(inv)
			full = mat.NewDense(2, 2, inv)
		}
		if err != nil {
			t.Fatal(err)
		}
		var want mat.Dense
		if err := want.Inverse(full); err != nil {
			t.Fatal(err)
		}
		r := rng.New(1, "momentum", 0, 0)
		var got [2][2]float64
		p, v := make([]float64, 2), make([]float64, 2)
		const n = 40000
		for range n {
			m.Sample(r, p)
			for i := range 2 {
				for j := range 2 {
					got[i][j] += p[i] * p[j] / n
				}
			}
		}
		for i := range 2 {
			for j := range 2 {
				scale := math.Sqrt(want.At(i, i) * want.At(j, j))
				if d := (got[i][j] - want.At(i, j)) / scale; math.Abs(d) > 0.042 {
					t.Errorf("%s: E[p%d p%d] = %.4f, want %.4f", kind, i, j, got[i][j], want.At(i, j))
				}
			}
		}
		m.Velocity([]float64{1, -2}, v)
		for i := range 2 {
			if w := full.At(i, 0) - 2*full.At(i, 1); math.Abs(v[i]-w) > 1e-14 {
				t.Errorf("%s: velocity %v, element %d should be %g", kind, v, i, w)
			}
		}
	}
}

func TestMetricRejectsBadMatrices(t *testing.T) {
	diag, _ := NewMetric(draws.MetricDiagonal, 2)
	dense, _ := NewMetric(draws.MetricDense, 2)
	for _, err := range []error{
		diag.Set([]float64{1}), diag.Set([]float64{1, 0}), diag.Set([]float64{1, math.NaN()}), diag.Set([]float64{math.Inf(1), 1}),
		dense.Set([]float64{1, 2, 2, 1}), dense.Set([]float64{1, 2}),
	} {
		if err == nil {
			t.Error("a bad inverse metric was accepted")
		}
	}
	if _, err := NewMetric("riemann", 2); err == nil {
		t.Error("an unknown metric was accepted")
	}
}

// Three positions by hand: variances 1 and 4, covariance 2, n = 3.
func TestRegularizedMoments(t *testing.T) {
	w, eps := 3.0/8, 1e-3*5/8
	for _, c := range []struct {
		dense bool
		want  []float64
	}{
		{false, []float64{w + eps, 4*w + eps}},
		{true, []float64{w + eps, 2 * w, 2 * w, 4*w + eps}},
	} {
		m := newMoments(2, c.dense)
		for _, q := range [][]float64{{1, 10}, {3, 14}, {2, 12}} {
			m.add(q)
		}
		got := make([]float64, len(c.want))
		if !m.regularized(got) {
			t.Fatal("no estimate from three positions")
		}
		for i := range got {
			if math.Abs(got[i]-c.want[i]) > 1e-14 {
				t.Errorf("dense %v: %v, want %v", c.dense, got, c.want)
			}
		}
	}
}

// For a standard normal in one dimension one leapfrog step of size e changes
// the energy by e^2/8 * (q-e^2 ...) only, so the search ends within the
// stability limit 2; scaled by the sd of the target it scales along.
func TestInitStepSizeFollowsTheScale(t *testing.T) {
	for _, sd := range []float64{1e-6, 1, 1e5, 1e9} {
		c := infertest.Independent("", []float64{sd})
		tuning := DefaultTuning()
		h, tuner, err := tuning.New(c.Model.NewEvaluator(), 10)
		if err != nil {
			t.Fatal(err)
		}
		s := infer.State{Q: []float64{0.5 * sd}}
		if err := h.Start(&s); err != nil {
			t.Fatal(err)
		}
		if err := tuner.Begin(rng.New(1, "step", 0, 0), &s); err != nil {
			t.Fatal(err)
		}
		if r := h.StepSize / sd; r < 0.25 || r > 8 {
			t.Errorf("sd %g: step size %g", sd, h.StepSize)
		}
	}
}

func TestInitStepSizeSaysWhatIsWrong(t *testing.T) {
	flat := infertest.FromFunc(1, func(_, grad []float64) (float64, error) {
		grad[0] = 0
		return 0, nil
	})
	wall := infertest.FromFunc(1, func(_, grad []float64) (float64, error) {
		grad[0] = math.Inf(1)
		return 0, nil
	})
	for _, c := range []struct {
		m    infer.Model
		want error
	}{{flat, ErrImproper}, {wall, ErrDiscontinuous}} {
		h, tuner, err := DefaultTuning().New(c.m.NewEvaluator(), 10)
		if err != nil {
			t.Fatal(err)
		}
		s := infer.State{Q: []float64{0}}
		if err := h.Start(&s); err != nil {
			t.Fatal(err)
		}
		if err := tuner.Begin(rng.New(1, "step", 0, 0), &s); !errors.Is(err, c.want) {
			t.Errorf("error %v, want %v", err, c.want)
		}
	}
}

func TestAdopt(t *testing.T) {
	h, tuner, err := DefaultTuning().New(infertest.Correlated(0).Model.NewEvaluator(), 0)
	if err != nil {
		t.Fatal(err)
	}
	want := draws.Adaptation{StepSize: 0.3, MetricType: draws.MetricDiagonal, InvMetric: []float64{2, 3}}
	if err := tuner.Adopt(want); err != nil {
		t.Fatal(err)
	}
	s := infer.State{Q: []float64{0, 0}}
	if err := h.Start(&s); err != nil {
		t.Fatal(err)
	}
	if err := tuner.Begin(rng.New(1, "adopt", 0, 0), &s); err != nil {
		t.Fatal(err)
	}
	if err := tuner.End(); err != nil {
		t.Fatal(err)
	}
	if got := tuner.Adaptation(); !reflect.DeepEqual(got, want) {
		t.Errorf("adopted %+v, now %+v", want, got)
	}
	for _, bad := range []draws.Adaptation{
		{StepSize: 0.3, MetricType: draws.MetricDense, InvMetric: []float64{2, 0, 0, 3}},
		{StepSize: 0, MetricType: draws.MetricDiagonal, InvMetric: []float64{2, 3}},
		{StepSize: 1, MetricType: draws.MetricDiagonal, InvMetric: []float64{2}},
	} {
		if tuner.Adopt(bad) == nil {
			t.Errorf("adopted %+v", bad)
		}
	}
}

func TestTuningRanges(t *testing.T) {
	for _, change := range []func(*Tuning){
		func(t *Tuning) { t.Delta = 1 }, func(t *Tuning) { t.Delta = math.NaN() }, func(t *Tuning) { t.Gamma = 0 },
		func(t *Tuning) { t.Kappa = -1 }, func(t *Tuning) { t.T0 = 0 }, func(t *Tuning) { t.StepSize = -1 },
		func(t *Tuning) { t.Buffers.Init = -1 }, func(t *Tuning) { t.Metric = "none" },
	} {
		tuning := DefaultTuning()
		change(&tuning)
		if tuning.Validate() == nil {
			t.Errorf("accepted %+v", tuning)
		}
	}
}

// The draws of an improper posterior run away until their moments overflow. The metric then keeps what it
// has, and the chain goes on.
func TestMetricOfDrawsThatRunAway(t *testing.T) {
	for kind, adapts := range map[string][]string{
		draws.MetricDiagonal: {AdaptStan, AdaptGradient},
		draws.MetricDense:    {AdaptStan},
		draws.MetricLowRank:  {AdaptGradient},
	} {
		for _, adapt := range adapts {
			c := infertest.Independent("", []float64{1e200, 1})
			tuning := DefaultTuning()
			tuning.Metric, tuning.Adapt = kind, adapt
			h, tuner, err := tuning.New(c.Model.NewEvaluator(), 200)
			if err != nil {
				t.Fatal(err)
			}
			random := rng.New(1, "run away", 0, 0)
			s := infer.State{Q: []float64{0.5, 0.5}, Grad: []float64{0, -0.5}}
			if err := h.Start(&s); err != nil {
				t.Fatal(err)
			}
			if err := tuner.Begin(random, &s); err != nil {
				t.Fatal(err)
			}
			for i := range 200 {
				s.Q[0], s.Q[1] = random.NormFloat64()*1e200, random.NormFloat64()
				if err := h.Start(&s); err != nil {
					t.Fatal(err)
				}
				if err := tuner.Update(random, i, &s, &infer.Info{AcceptStat: 0.8}); err != nil {
					t.Fatalf("%s, %s: iteration %d: %v", kind, adapt, i, err)
				}
			}
			for i, v := range h.Metric.Inverse() {
				if math.IsNaN(v) || math.IsInf(v, 0) {
					t.Errorf("%s, %s: element %d of the metric is %g", kind, adapt, i, v)
				}
			}
		}
	}
}
