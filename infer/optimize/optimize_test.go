package optimize_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/infertest"
	"github.com/seed-12b88e03/ppl/infer/optimize"
)

// rosenbrock has its maximum 0 at (1, 1, ...), at the end of a curved valley
// (More, Garbow and Hillstrom 1981, problems 1 and 21).
func rosenbrock(n int) *infertest.Model {
	return infertest.FromFunc(n, func(q, grad []float64) (float64, error) {
		var lp float64
		if grad != nil {
			clear(grad)
		}
		for i := 0; i+1 < len(q); i += 2 {
			a, b := 1-q[i], q[i+1]-q[i]*q[i]
			lp -= a*a + 100*b*b
			if grad != nil {
				grad[i] = 2*a + 400*q[i]*b
				grad[i+1] = -200 * b
			}
		}
		return lp, nil
	})
}

func maximize(t *testing.T, m infer.Model, x0 []float64, s optimize.Settings) optimize.Result {
	t.Helper()
	r, err := optimize.Maximize(m.NewEvaluator(), x0, s, nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestRosenbrock(t *testing.T) {
	for _, n := range []int{2, 100} {
		x0 := make([]float64, n)
		for i := range x0 {
			x0[i] = []float64{-1.2, 1}[i%2]
		}
		r := maximize(t, rosenbrock(n), x0, optimize.DefaultSettings())
		for i, x := range r.X {
			if math.Abs(x-1) > 1e-5 {
				t.Fatalf("n = %d: coordinate %d is %.9g after %d iterations (%s)", n, i, x, r.Iteration, r.Stop)
			}
		}
		if !r.Stop.Converged() || r.Evaluations > 120 {
			t.Errorf("n = %d: %s after %d evaluations", n, r.Stop, r.Evaluations)
		}
	}
}

// tight are settings that only the gradient stops.
func tight() optimize.Settings {
	return optimize.Settings{MaxIterations: 2000, History: 5, TolGrad: 1e-9}
}

// All targets of the suite that have a mode, from far away: with CmdStan's
// rules to 1e-3 sd, with the gradient alone to 1e-7 sd.
func TestModes(t *testing.T) {
	modes := map[string][]float64{"log gamma(3)": {math.Log(3)}, "logistic": {0, 0, 0}, "banana b=0.7": {0, -0.7}}
	for _, c := range infertest.Cases() {
		want := modes[c.Name]
		if want == nil {
			want = c.Mean
		}
		x0 := make([]float64, c.Model.Dim())
		for i := range x0 {
			x0[i] = 3
		}
		for tolerance, s := range map[float64]optimize.Settings{1e-3: optimize.DefaultSettings(), 1e-7: tight()} {
			r := maximize(t, c.Model, x0, s)
			for i, x := range r.X {
				if math.Abs(x-want[i]) > tolerance*c.SD[i] {
					t.Errorf("%s: coordinate %d is %.9g, the mode has %.9g (%s)", c.Name, i, x, want[i], r.Stop)
				}
			}
			if !r.Stop.Converged() {
				t.Errorf("%s: %s", c.Name, r.Stop)
			}
		}
	}
}

// Each rule of CmdStan's, alone.
func TestStoppingRules(t *testing.T) {
	off := optimize.Settings{MaxIterations: 500, History: 5}
	for want, set := range map[optimize.Stop]func(*optimize.Settings){
		optimize.StopObj:        func(s *optimize.Settings) { s.TolObj = 0.1 },
		optimize.StopRelObj:     func(s *optimize.Settings) { s.TolRelObj = 0.1 },
		optimize.StopGrad:       func(s *optimize.Settings) { s.TolGrad = 0.5 },
		optimize.StopRelGrad:    func(s *optimize.Settings) { s.TolRelGrad = 0.01 },
		optimize.StopParam:      func(s *optimize.Settings) { s.TolParam = 0.02 },
		optimize.StopIterations: func(s *optimize.Settings) { s.MaxIterations = 3 },
	} {
		s := off
		set(&s)
		r := maximize(t, rosenbrock(2), []float64{-1.2, 1}, s)
		if r.Stop != want {
			t.Errorf("expected %q, found %q", want, r.Stop)
		}
		if r.Stop.Converged() != (want != optimize.StopIterations) {
			t.Errorf("%q: converged %v", r.Stop, r.Stop.Converged())
		}
	}
	if r := maximize(t, rosenbrock(2), []float64{-1.2, 1}, off); !r.Stop.Converged() || math.Abs(r.X[0]-1) > 1e-7 {
		t.Errorf("without tolerances: %q at %v", r.Stop, r.X)
	}
}

// A support that ends: sqrt(1-x^2) with log density rejected outside, reached
// by a first step that leaves it.
func TestRejectedPoints(t *testing.T) {
	m := infertest.FromFunc(1, func(q, grad []float64) (float64, error) {
		x := q[0]
		if math.Abs(x) >= 1 {
			return 0, infer.Reject("out of the support")
		}
		if grad != nil {
			grad[0] = 1e4 - 100/(1-x)
		}
		return 1e4*x + 100*math.Log1p(-x), nil
	})
	r := maximize(t, m, []float64{-0.9}, tight())
	if math.Abs(r.X[0]-0.99) > 1e-7 || !r.Stop.Converged() {
		t.Errorf("found %.10g, exactly 0.99 (%s)", r.X[0], r.Stop)
	}
}

func TestUnboundedDensityDoesNotConverge(t *testing.T) {
	m := infertest.FromFunc(1, func(q, grad []float64) (float64, error) {
		if grad != nil {
			grad[0] = 1
		}
		return q[0], nil
	})
	if r := maximize(t, m, []float64{0}, optimize.Settings{MaxIterations: 50, History: 5}); r.Stop.Converged() {
		t.Errorf("a slope without end: %s at %g", r.Stop, r.X[0])
	}
}

func TestNoAllocationsPerIteration(t *testing.T) {
	m, x0 := rosenbrock(100), make([]float64, 100)
	allocations := func(n int) float64 {
		s := optimize.Settings{MaxIterations: n, History: 5}
		return testing.AllocsPerRun(100, func() { maximize(t, m, x0, s) })
	}
	if a, b := allocations(3), allocations(13); a != b {
		t.Errorf("%g allocations for 3 iterations, %g for 13", a, b)
	}
}

// scale is sigma ~ gamma(3, 1) over q = log(sigma): the mode of the density of
// sigma is 2, that of the density of q is log 3.
type scale struct{ *infertest.Model }

func (scale) Density(jacobian, _ bool) infer.Target {
	j := 0.0
	if jacobian {
		j = 1
	}
	return gammaDensity(2 + j).NewEvaluator()
}

func gammaDensity(shape float64) *infertest.Model {
	return infertest.FromFunc(1, func(q, grad []float64) (float64, error) {
		if grad != nil {
			grad[0] = shape - math.Exp(q[0])
		}
		return shape*q[0] - math.Exp(q[0]), nil
	})
}

func run(t *testing.T, change func(*optimize.Options), m infer.Model, ctx context.Context, o infer.Options) (*infer.Posterior, error) {
	t.Helper()
	opt := optimize.DefaultOptions()
	if change != nil {
		change(&opt)
	}
	method, err := optimize.New(opt)
	if err != nil {
		t.Fatal(err)
	}
	return method.Run(ctx, m, o)
}

func TestJacobian(t *testing.T) {
	for jacobian, want := range map[bool]float64{true: math.Log(3), false: math.Log(2)} {
		p, err := run(t, func(o *optimize.Options) { o.Jacobian, o.Settings = jacobian, tight() }, scale{gammaDensity(3)}, t.Context(), infer.Options{Seed: 1, KeepUnconstrained: true})
		if err != nil {
			t.Fatal(err)
		}
		if got := p.Last(0)[0]; math.Abs(got-want) > 1e-7 {
			t.Errorf("jacobian %v: mode %.9g, exactly %.9g", jacobian, got, want)
		}
		if p.Draws.Total() != 1 || !p.Fit.Converged || len(p.Fit.Trace) != p.Fit.Iterations+1 {
			t.Errorf("draws %d, report %+v", p.Draws.Total(), p.Fit)
		}
	}
	_, err := run(t, nil, gammaDensity(3), t.Context(), infer.Options{})
	if missing := (*infer.MissingError)(nil); !errors.As(err, &missing) {
		t.Errorf("a model without a plain density: %v", err)
	}
}

func TestCancelledRunReturnsTheBestPoint(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	n := 0
	m := &infertest.Model{N: 2, New: func() infertest.Density {
		inner := rosenbrock(2).New()
		return func(q, grad []float64) (float64, error) {
			if n++; n == 10 {
				cancel()
			}
			return inner(q, grad)
		}
	}}
	p, err := run(t, func(o *optimize.Options) { o.Jacobian = true }, m, ctx, infer.Options{Seed: 1})
	if err != nil || !p.Incomplete || p.Cause == nil || p.Draws.Total() != 1 || p.Fit.Converged {
		t.Fatalf("error %v, posterior %+v", err, p)
	}
	if best := p.Draws.Row(0, 0)[0]; best < p.Fit.Trace[0].Objective {
		t.Errorf("the point returned (%g) is worse than the start", best)
	}
}

func TestFailures(t *testing.T) {
	fatal := errors.New("no memory")
	for name, c := range map[string]struct {
		density infertest.Density
		check   func(error) bool
	}{
		"stop": {func(q, grad []float64) (float64, error) { return 0, fatal }, func(err error) bool { return errors.Is(err, fatal) }},
		"bug": {func(q, grad []float64) (float64, error) { panic("index") }, func(err error) bool {
			var p *infer.PanicError
			return errors.As(err, &p)
		}},
		"no start": {func(q, grad []float64) (float64, error) { return 0, infer.Reject("never") }, func(err error) bool {
			var i *infer.InitError
			return errors.As(err, &i)
		}},
	} {
		_, err := run(t, func(o *optimize.Options) { o.Jacobian = true }, infertest.FromFunc(1, c.density), t.Context(), infer.Options{})
		if !c.check(err) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestDeterministic(t *testing.T) {
	var rows [][]float64
	for range 2 {
		p, err := run(t, func(o *optimize.Options) { o.Jacobian = true }, rosenbrock(10), t.Context(), infer.Options{Seed: 9})
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, p.Draws.Row(0, 0))
	}
	if !slices.Equal(rows[0], rows[1]) {
		t.Error("two runs differ")
	}
}

func TestModelWithoutParameters(t *testing.T) {
	m := infertest.FromFunc(0, func(q, grad []float64) (float64, error) { return -1, nil })
	p, err := run(t, func(o *optimize.Options) { o.Jacobian = true }, m, t.Context(), infer.Options{})
	if err != nil || p.Draws.Total() != 1 || !p.Fit.Converged {
		t.Errorf("error %v", err)
	}
}

func TestOptionRanges(t *testing.T) {
	for text, change := range map[string]func(*optimize.Options){
		"iterations": func(o *optimize.Options) { o.MaxIterations = 0 },
		"history":    func(o *optimize.Options) { o.History = 0 },
		"tolerance":  func(o *optimize.Options) { o.TolRelObj = math.NaN() },
	} {
		o := optimize.DefaultOptions()
		change(&o)
		if _, err := optimize.New(o); err == nil || !strings.Contains(err.Error(), text) {
			t.Errorf("%s: %v", text, err)
		}
	}
}
