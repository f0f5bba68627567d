package optimize_test

import (
	"math"
	"testing"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/infertest"
	"github.com/seed-12b88e03/ppl/infer/optimize"
)

// The end of a search is a mode, short of one, at an edge, or on the way to where the density
// has no bound, whatever the scale of the coordinates.
func TestAssess(t *testing.T) {
	for name, c := range map[string]struct {
		f                      func(x, scale float64) (lp, d float64)
		at                     float64
		open, rises, unbounded bool
		decrement              float64
	}{
		"mode":      {func(x, s float64) (float64, float64) { return -x * x / (2 * s * s), -x / (s * s) }, 0, false, false, false, 0},
		"off":       {func(x, s float64) (float64, float64) { return -x * x / (2 * s * s), -x / (s * s) }, 0.5, false, false, false, 0.125},
		"far":       {func(x, s float64) (float64, float64) { return -x * x / (2 * s * s), -x / (s * s) }, 20, true, true, false, 200},
		"unbounded": {func(x, s float64) (float64, float64) { return x / s, 1 / s }, 3, true, true, true, math.Inf(1)},
		"explodes":  {func(x, s float64) (float64, float64) { return math.Exp(x / s), math.Exp(x/s) / s }, 600, true, true, true, math.Inf(1)},
		"flat":      {func(x, s float64) (float64, float64) { return 1, 0 }, 3, true, false, false, 0},
	} {
		for _, scale := range []float64{1e-3, 1, 1e6} {
			m := infertest.FromFunc(1, func(q, grad []float64) (float64, error) {
				lp, d := c.f(q[0], scale)
				if grad != nil {
					grad[0] = d
				}
				return lp, nil
			})
			got, err := optimize.Assess(m.NewEvaluator(), []float64{c.at * scale}, []string{"x"})
			if err != nil {
				t.Fatal(err)
			}
			open := got.Open != nil
			if open != c.open || open && (got.Open.Rises != c.rises || got.Open.Unbounded != c.unbounded || got.Open.Name != "x") {
				t.Errorf("%s at scale %g: %+v", name, scale, got.Open)
			}
			if d := float64(got.Decrement); d != c.decrement && math.Abs(d-c.decrement) > 1e-4*(1+c.decrement) {
				t.Errorf("%s at scale %g: decrement %g, want %g", name, scale, d, c.decrement)
			}
		}
	}
}

// On the way to a singularity, where a scale has nearly reached zero and the coordinate that it belongs to hangs back by
// a few thousandths of it, the scale is named, and not another one that has gone off the other way, whose curvature is less.
func TestAssessNamesWhatRunsAway(t *testing.T) {
	m := infertest.FromFunc(3, func(q, grad []float64) (float64, error) {
		s, off, far := q[0], q[1], q[2]
		bend, fall := off*math.Exp(-s), 10*math.Exp(-2*far)
		if grad != nil {
			grad[0], grad[1], grad[2] = -5+bend*bend, -bend*math.Exp(-s), -5+2*fall
		}
		return -5*s - bend*bend/2 - 5*far - fall, nil
	})
	got, err := optimize.Assess(m.NewEvaluator(), []float64{-17.4, 3e-3 * math.Exp(-17.4), 8}, []string{"log scale", "mean", "other scale"})
	if err != nil {
		t.Fatal(err)
	}
	if got.Open == nil || got.Open.Name != "log scale" || !got.Open.Rises || !(got.Decrement > 1e3) {
		t.Errorf("%+v, %+v", got, got.Open)
	}
}

// A search that has come to the end of the numbers climbs without bound, in the coordinate that is there: beside it
// there is no density to compare with, and the others' normal curvatures are lost in the rounding of a huge log density.
func TestAssessAtTheEndOfTheNumbers(t *testing.T) {
	for name, c := range map[string]struct {
		at     []float64
		f      func(q, grad []float64) float64
		open   bool
		ending string
	}{
		"a scale that overflows": {[]float64{30.1, 709.75}, func(q, grad []float64) float64 {
			grad[0], grad[1] = -q[0], 2
			return -q[0]*q[0]/2 + 2*math.Log(libm.Exp(q[1]))
		}, true, "y"},
		"a scale that underflows": {[]float64{1e-3, -744}, func(q, grad []float64) float64 {
			grad[0], grad[1] = -q[0], -2
			return -q[0]*q[0]/2 - 2*math.Log(libm.Exp(q[1]))
		}, true, "y"},
		"a square that overflows": {[]float64{-1e77, -1.34e154}, func(q, grad []float64) float64 {
			grad[0], grad[1] = -q[0], math.Copysign(1, q[1])
			return -q[0]*q[0]/2 + math.Sqrt(1+q[1]*q[1])
		}, true, "y"},
		"two that run away": {[]float64{-1e153, 3e307}, func(q, grad []float64) float64 {
			grad[0], grad[1] = -q[0], 1
			return -q[0]*q[0]/2 + q[1]
		}, true, "y"},
		"a mode of large numbers": {[]float64{0, 720}, func(q, grad []float64) float64 {
			grad[0], grad[1] = -q[0], -(q[1] - 720)
			return -q[0]*q[0]/2 - (q[1]-720)*(q[1]-720)/2
		}, false, ""},
		"a mode of a huge density": {[]float64{0, 720}, func(q, grad []float64) float64 {
			grad[0], grad[1] = -q[0], -(q[1] - 720)
			return 1e18 - q[0]*q[0]/2 - (q[1]-720)*(q[1]-720)/2
		}, false, ""},
	} {
		m := infertest.FromFunc(2, func(q, grad []float64) (float64, error) {
			if grad == nil {
				grad = make([]float64, 2)
			}
			lp := c.f(q, grad)
			if math.IsInf(lp, 0) || math.IsNaN(lp) {
				return 0, infer.Reject("no number")
			}
			return lp, nil
		})
		got, err := optimize.Assess(m.NewEvaluator(), c.at, []string{"x", "y"})
		if err != nil {
			t.Fatal(name, err)
		}
		if open := got.Open != nil; open != c.open || open && (got.Open.Name != c.ending || !got.Open.Unbounded) {
			t.Errorf("%s: %+v", name, got.Open)
		}
	}
}
