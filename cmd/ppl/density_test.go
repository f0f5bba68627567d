package main

// This file tests the comparison of gradients with differences.

import (
	"math"
	"testing"

	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/tools"
	"github.com/seed-12b88e03/ppl/infer/infertest"
)

// A gradient that is wrong fails by more than the tolerance, also by the one that solvers of differential equations are
// granted at most.
func TestCompareGradient(t *testing.T) {
	m := infertest.FromFunc(2, func(q, grad []float64) (float64, error) {
		if grad != nil {
			grad[0], grad[1] = math.Cos(q[0]), -q[1]
		}
		return math.Sin(q[0]) - q[1]*q[1]/2, nil
	})
	q, names := []float64{0.3, 2}, []string{"a", "b"}
	for _, c := range []struct {
		off, tolerance float64
		ok             bool
	}{{0, tools.Tolerance, true}, {9e-5, tools.Tolerance, false}, {9e-5, tools.MostTolerance, true}, {6e-3, tools.MostTolerance, false}} {
		r := tools.Compare(m.NewEvaluator(), names, q, []float64{math.Cos(0.3), -2 - c.off}, c.tolerance)
		if r.OK != c.ok || c.off > 0 && (r.Worst != "b" || math.Abs(float64(r.MaxError)/c.off*(3+c.off)-1) > 1e-4) {
			t.Errorf("off by %g, tolerance %g: %+v", c.off, c.tolerance, r)
		}
	}
}
