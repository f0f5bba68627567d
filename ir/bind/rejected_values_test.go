// Values of discrete parameters that are rejected at some numbers of the others: there they have density zero, and other
// values have theirs.

package bind_test

import (
	"math"
	"testing"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/mh"
	"github.com/seed-12b88e03/ppl/infer/nuts"
)

// rejectingValues are ways to write that a > 0 where z is 1 and that nothing is required where it is 0. Their densities are
// normal(a | 0, 1) / 2, times exp(-a) where z is 1.
var rejectingValues = map[string]string{
	"branch":    `a ~ normal(0, 1); z ~ bernoulli(0.5); if (z == 1) 0 ~ poisson(a);`,
	"value":     `a ~ normal(0, 1); z ~ bernoulli(0.5); 0 ~ poisson(z == 1 ? a : 0);`,
	"index":     `vector[2] r = [0, a]'; a ~ normal(0, 1); z ~ bernoulli(0.5); 0 ~ poisson(r[z + 1]);`,
	"local":     `a ~ normal(0, 1); z ~ bernoulli(0.5); real t = 0; if (z == 1) t = poisson_lpmf(0 | a); target += t;`,
	"factor":    `a ~ normal(0, 1); z ~ bernoulli(0.5); matrix[1, 1] m = cholesky_decompose([[z == 1 ? a : 1]]); target += z == 1 ? -m[1, 1]^2 : 0;`,
	"reject":    `a ~ normal(0, 1); z ~ bernoulli(0.5); if (z == 1) { if (a < 0) reject("a is ", a); target += -a; }`,
	"undefined": `a ~ normal(0, 1); z ~ bernoulli(0.5); if (z == 1) target += -exp(log(a));`,
	"nested":    `a ~ normal(0, 1); z ~ bernoulli(0.5); if (z < 2) { if (z > 0) { 0 ~ poisson(a); } }`,
	"vector":    `a ~ normal(0, 1); z ~ bernoulli(0.5); { 0 ~ poisson([z == 1 ? a : 0, 0]'); }`,
}

func TestRejectedValues(t *testing.T) {
	normal := func(a float64) float64 { return -a*a/2 - math.Log(2*math.Pi)/2 }
	joint := func(a float64, z int) float64 {
		switch {
		case z == 0:
			return normal(a) - math.Ln2
		case a < 0:
			return math.Inf(-1)
		}
		return normal(a) - math.Ln2 - a
	}
	marginal := func(a float64) float64 { return math.Log(math.Exp(joint(a, 0)) + math.Exp(joint(a, 1))) }
	near := func(got, want float64) bool { return got == want || math.Abs(got-want) < 1e-9 }
	for name, body := range rejectingValues {
		// The first point decides what is recorded.
		for _, points := range [][]float64{{-1, 0.7, -0.3, 2}, {0.7, -1, 2, -0.3}} {
			m := bound(t, "parameters { real a; int<lower=0, upper=1> z; } model { "+body+" }", "{}")
			e, j := m.NewEvaluator(), m.Joint().NewEvaluator()
			parts, _ := infer.Capability[infer.Tempered](e)
			grad := []float64{0}
			for _, a := range points {
				if lp, err := e.LogDensity([]float64{a}); err != nil || !near(lp, marginal(a)) {
					t.Errorf("%s at %v: log density %v, %v; want %v", name, a, lp, err, marginal(a))
				}
				slope := (marginal(a+1e-6) - marginal(a-1e-6)) / 2e-6
				if lp, err := e.LogDensityGrad([]float64{a}, grad); err != nil || !near(lp, marginal(a)) || !(math.Abs(grad[0]-slope) < 1e-6) {
					t.Errorf("%s at %v: log density %v, slope %v, %v; want %v, %v", name, a, lp, grad[0], err, marginal(a), slope)
				}
				if p, l, err := parts.LogDensityPartsGrad([]float64{a}, 0.5, grad); err != nil || !near(p+l, marginal(a)) {
					t.Errorf("%s at %v: parts %v and %v, %v; want a sum of %v", name, a, p, l, err, marginal(a))
				}
				many, fail := make([]float64, 2), make([]error, 2)
				e.(infer.BatchTarget).LogDensityMany([][]float64{{a}, {-a}}, many, fail)
				if fail[0] != nil || fail[1] != nil || !near(many[0], marginal(a)) || !near(many[1], marginal(-a)) {
					t.Errorf("%s at %v and %v: log densities %v, %v", name, a, -a, many, fail)
				}
				for z := range 2 {
					lp, err := j.LogDensity([]float64{a, float64(z)})
					if rejected := infer.IsReject(err) || math.IsNaN(lp); rejected != math.IsInf(joint(a, z), -1) && !near(lp, joint(a, z)) || !rejected && !near(lp, joint(a, z)) {
						t.Errorf("%s at %v with %d: log density %v, %v; want %v", name, a, z, lp, err, joint(a, z))
					}
				}
			}
		}
	}
}

// TestMethodsWithRejectedValues: methods that sum discrete parameters out and those that sample them have the means that
// quadrature has, each within 4.5 Monte Carlo errors, which fails by chance once in 12,000 for all.
func TestMethodsWithRejectedValues(t *testing.T) {
	random, err := mh.New(func() mh.Options { o := mh.DefaultOptions(); o.Draws = 3000; return o }())
	if err != nil {
		t.Fatal(err)
	}
	hamiltonian, err := nuts.New(func() nuts.Options { o := nuts.DefaultOptions(); o.Draws = 800; return o }())
	if err != nil {
		t.Fatal(err)
	}
	weight := func(a float64) float64 {
		if a < 0 {
			return -a * a / 2
		}
		return -a*a/2 + math.Log1p(math.Exp(-a))
	}
	mean := meanOn(-12, 12, weight)
	half := math.Sqrt(math.Pi / 2) // the integral of exp(-a^2/2) from 0
	tail := math.Exp(0.5) * half * math.Erfc(1/math.Sqrt2)
	for _, name := range []string{"branch", "undefined"} {
		m := bound(t, "parameters { real a; int<lower=0, upper=1> z; } model { "+rejectingValues[name]+" }", "{}")
		for _, c := range []struct {
			by infer.Method
			m  infer.Model
		}{{gibbsMethod(t, 300, 2000), m.Joint()}, {random, m.Joint()}, {hamiltonian, m}} {
			all := run(t, c.by, c.m).Summaries()
			for i, want := range []float64{mean, tail / (2*half + tail)} {
				if s := all[1+i]; !(math.Abs(s.Mean-want) < 4.5*s.MCSE) {
					t.Errorf("%s by %s: mean of %s %v (error %v), want %v", name, c.by.Name(), s.Name, s.Mean, s.MCSE, want)
				}
			}
		}
	}
}
