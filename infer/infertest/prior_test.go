package infertest_test

// This file tests how priors are read.

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seed-12b88e03/ppl/infer/infertest"
)

// TestPriors: densities integrate to 1 and have their derivatives, and draws have the law of
// the density, of which the median of absolute values is looked at (6 standard errors).
func TestPriors(t *testing.T) {
	for _, name := range []string{"normal_sd1 (false prior)", "normal_var0.5", "normal_mean1_sd0.5", "laplace_b0.3", "student_t_nu3_scale0.3", "cauchy_scale2",
		"logistic_s0.7", "hierarchical_gamma0.5"} {
		p, ok := infertest.ParsePrior(name)
		if !ok {
			t.Errorf("%s is not read", name)
			continue
		}
		total, inside, grad := 0.0, 0.0, []float64{0}
		const h = 1e-4 // x = tan(u): the trapezoidal rule over all numbers
		var median float64
		for u := -math.Pi/2 + h/2; u < math.Pi/2; u += h {
			x := math.Tan(u)
			total += math.Exp(p.LogDensity([]float64{x}, nil)) * h * (1 + x*x)
		}
		for u := h / 2; u < math.Pi/2 && inside < total/2; u += h {
			median = math.Tan(u)
			for _, x := range []float64{median, -median} {
				inside += math.Exp(p.LogDensity([]float64{x}, nil)) * h * (1 + x*x)
			}
		}
		if math.Abs(total-1) > 1e-3 {
			t.Errorf("%s: the density integrates to %v", name, total)
		}
		p.LogDensity([]float64{0.3}, grad)
		slope := (p.LogDensity([]float64{0.3 + 1e-5}, nil) - p.LogDensity([]float64{0.3 - 1e-5}, nil)) / 2e-5
		if math.Abs(slope-grad[0]) > 1e-6 {
			t.Errorf("%s: derivative %v, differences give %v", name, grad[0], slope)
		}
		r := rand.New(rand.NewPCG(1, 2))
		const draws = 40000
		below := 0.0
		for range draws {
			p.Draw(r, grad)
			if math.Abs(grad[0]) < median {
				below++
			}
		}
		if math.Abs(below/draws-0.5) > 6*0.5/math.Sqrt(draws) {
			t.Errorf("%s: %v of the draws are below the median", name, below/draws)
		}
	}
	for _, name := range []string{"horseshoe", "normal", "laplace_q0.3", "student_t_scale1", "normal_sd1_extra"} {
		if p, ok := infertest.ParsePrior(name); ok {
			t.Errorf("%s is read as %+v", name, p)
		}
	}
}
