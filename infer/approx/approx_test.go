package approx_test

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/approx"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/infer/infertest"
	"github.com/seed-12b88e03/ppl/infer/laplace"
	"github.com/seed-12b88e03/ppl/infer/normal"
	"github.com/seed-12b88e03/ppl/infer/optimize"
	"github.com/seed-12b88e03/ppl/infer/pathfinder"
	"github.com/seed-12b88e03/ppl/infer/rng"
	"github.com/seed-12b88e03/ppl/infer/vi"
)

func record(t *testing.T, ctx context.Context, model infer.Model, a infer.Approximation, n int) *infer.Posterior {
	t.Helper()
	ev := model.NewEvaluator()
	rec, err := infer.NewRecorder(model, ev, infer.Options{Seed: 1}, draws.Plan{Method: "test", Draws: n, Stats: approx.Stats}, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := approx.Record(ctx, rec, ev, a, n, rng.New(1, "approx test", 0, 0)); err != nil {
		t.Fatal(err)
	}
	p, err := rec.End(context.Cause(ctx))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// log p = -x^2/2 under q = normal(0, s): the bound is -s^2/2 + log(s) + log(2 pi e)/2,
// at 5 standard errors. For s < 1 the ratios p/q are bounded by no constant and
// have shape 1 - s^2; for s > 1 they are bounded and have their maximum at a
// single point in the middle, so the shape is -2 in the limit.
func TestBoundAndShape(t *testing.T) {
	m := infertest.Independent("one", []float64{1}).Model
	for _, s := range []float64{0.5, 0.8, 1.5} {
		p := record(t, t.Context(), m, normal.NewDiagonal([]float64{0}, []float64{s}), 20000)
		want := -s*s/2 + math.Log(s) + (1+math.Log(2*math.Pi))/2
		if b := p.Fit.ELBO; math.Abs(b.Value-want) > 5*b.Error || b.Error > 0.02 {
			t.Errorf("s = %g: bound %.4f +- %.4f, exactly %.4f", s, b.Value, b.Error, want)
		}
		shape := 1 - s*s
		if s > 1 {
			shape = -2
		}
		if k := p.Fit.ParetoK; math.Abs(k-shape) > 0.3 {
			t.Errorf("s = %g: shape %.2f, in the limit %.2f", s, k, shape)
		}
	}
	exact := record(t, t.Context(), m, normal.NewDiagonal([]float64{0}, []float64{1}), 1000)
	if b := exact.Fit.ELBO; math.Abs(b.Value-(math.Log(2*math.Pi)/2)) > 1e-12 || b.Error > 1e-12 || !math.IsInf(exact.Fit.ParetoK, -1) {
		t.Errorf("the posterior itself: bound %v, shape %g", *b, exact.Fit.ParetoK)
	}
}

// A density that is zero on a part of the approximation: no bound, and a shape
// all the same.
func TestDensityZero(t *testing.T) {
	m := infertest.FromFunc(1, func(q, _ []float64) (float64, error) {
		if q[0] < 0 {
			return 0, infer.Reject("negative")
		}
		return -q[0], nil
	})
	p := record(t, t.Context(), m, normal.NewDiagonal([]float64{0}, []float64{1}), 1000)
	if !math.IsInf(p.Fit.ELBO.Value, -1) || math.IsNaN(p.Fit.ParetoK) || p.Draws.Total() != 1000 {
		t.Errorf("bound %g, shape %g, %d draws", p.Fit.ELBO.Value, p.Fit.ParetoK, p.Draws.Total())
	}
}

// A fit that was cut short still gets some draws.
func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	m := infertest.Independent("one", []float64{1}).Model
	for n, want := range map[int]int{1000: approx.CancelledDraws, 10: 10} {
		if p := record(t, ctx, m, normal.NewDiagonal([]float64{0}, []float64{1}), n); p.Draws.Total() != want || !p.Incomplete {
			t.Errorf("%d draws of %d, expected %d", p.Draws.Total(), n, want)
		}
	}
}

// Methods that need a gradient refuse whole numbers.
func TestWholeNumbersAreRefused(t *testing.T) {
	m := infertest.Independent("one", []float64{1}).Model
	m.Ranges = []infer.Range{{Low: 0, High: 3}}
	o := optimize.DefaultOptions()
	o.Jacobian = true
	mode, err1 := optimize.New(o)
	lap, err2 := laplace.New(laplace.DefaultOptions())
	path, err3 := pathfinder.New(pathfinder.DefaultOptions())
	advi, err4 := vi.New(vi.DefaultOptions())
	if err := errors.Join(err1, err2, err3, err4); err != nil {
		t.Fatal(err)
	}
	for _, method := range []infer.Method{mode, lap, path, advi} {
		_, err := method.Run(t.Context(), m, infer.Options{})
		var missing *infer.MissingError
		if !errors.As(err, &missing) || missing.Method != method.Name() {
			t.Errorf("%s: %v", method.Name(), err)
		}
	}
}

// Of a posterior N(0, 1) in two coordinates: a fit stays converged down to a hundredth of
// its scale, and with an objective that falls to a finite value.
func TestSound(t *testing.T) {
	target := infertest.Independent("two", []float64{1, 1}).Model.NewEvaluator()
	look := func(mean, sd, objective float64) *infer.FitReport {
		a := normal.NewDiagonal([]float64{0, mean}, []float64{1, sd})
		r := rng.New(1, "approx test", 0, 0)
		points := make([][]float64, 100)
		for i := range points {
			points[i] = make([]float64, 2)
			a.Draw(r, points[i])
		}
		report := &infer.FitReport{Converged: true, Objective: &infer.Estimate{Value: objective}, Trace: []infer.TracePoint{{Objective: 1000}}}
		approx.Sound(target, a, points, report)
		return report
	}
	for _, sd := range []float64{100, 1, 0.01} {
		for _, objective := range []float64{1000, -1e6} {
			if r := look(0.3, sd, objective); !r.Converged {
				t.Errorf("sd %g, objective %g: %s", sd, objective, r.Stop)
			}
		}
	}
	for _, c := range [][3]float64{{0, 1e-5, 0}, {0, 0, 0}, {1, 1e-14, 0}, {0, 1, -1e12}, {0, 1, math.Inf(-1)}, {0, 1, math.NaN()}} {
		if r := look(c[0], c[1], c[2]); r.Converged || r.Stop == "" {
			t.Errorf("mean %g, sd %g, objective %g: converged", c[0], c[1], c[2])
		}
	}
}
