// This file tests starts of variational fits: those that are given are obeyed, and of several the best is kept.

package lang

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/diagnose"
)

// twoModes is a mixture of two normals with known weights and scale, so that its posterior has two modes that
// differ in labels.
const twoModes = `data { int N; vector[N] y; }
parameters { vector[2] mu; }
model {
  mu ~ normal(0, 2);
  for (i in 1:N) target += log_mix(0.5, normal_lpdf(y[i] | mu[1], 0.65), normal_lpdf(y[i] | mu[2], 0.65));
}`

func twoModesData() []float64 {
	r := rand.New(rand.NewPCG(5, 5))
	y := make([]float64, 60)
	for i := range y {
		y[i] = 2*float64(i%2) + 0.65*r.NormFloat64()
	}
	return y
}

// renyiOnGrid is -2 log of the integral of sqrt(q p), Renyi's objective of order 0.5, for independent normals q, by sums
// over a grid.
func renyiOnGrid(y []float64) func(m1, m2, s1, s2 float64) float64 {
	const n, lo, h = 221, -4.0, 0.05
	logs := make([]float64, n*n)
	for i := range n {
		for j := range n {
			a, b := lo+h*float64(i), lo+h*float64(j)
			lp := -(a*a+b*b)/8 - 2*math.Log(2*math.Sqrt(2*math.Pi))
			for _, v := range y {
				c, d := (v-a)/0.65, (v-b)/0.65
				lp += math.Log(0.5*(math.Exp(-c*c/2)+math.Exp(-d*d/2))) - math.Log(0.65*math.Sqrt(2*math.Pi))
			}
			logs[i*n+j] = lp
		}
	}
	return func(m1, m2, s1, s2 float64) float64 {
		total := 0.0
		for i := range n {
			for j := range n {
				c, d := (lo+h*float64(i)-m1)/s1, (lo+h*float64(j)-m2)/s2
				total += math.Exp((logs[i*n+j]+100-c*c/2-d*d/2-math.Log(2*math.Pi*s1*s2))/2) * h * h
			}
		}
		return 100 - 2*math.Log(total)
	}
}

// TestStarts: F-VI with Renyi's divergence has one optimum on each mode and one between them that is higher. From a
// point between the modes the fit ends there, with starts = 1; of several starts a mode is kept, and it is
// said how many reached it. All values are those of the grid, and none falls near its optimum.
func TestStarts(t *testing.T) {
	y := twoModesData()
	m := boundTo(t, twoModes, map[string]any{"N": len(y), "y": y})
	grid := renyiOnGrid(y)
	middle := []float64{1, 1}
	run := func(method string, init ...[]float64) *Fit {
		t.Helper()
		how, err := m.Program.Method(method)
		if err != nil {
			t.Fatal(err)
		}
		fit, err := m.Run(t.Context(), how, RunOptions{Seed: 2, Jobs: 2, Init: init})
		if err != nil {
			t.Fatal(err)
		}
		return fit
	}
	one := run(`fvi(starts = 1, draws = 4000, check = "none")`, middle)
	four := run(`fvi(starts = 4, draws = 4000, check = "none")`, middle)
	for name, fit := range map[string]*Fit{"between": one, "mode": four} {
		m1, m2, s1, s2 := 0.0, 0.0, 0.0, 0.0
		for _, s := range fit.Summaries {
			switch s.Name {
			case "mu.1":
				m1, s1 = s.Mean, s.SD
			case "mu.2":
				m2, s2 = s.Mean, s.SD
			}
		}
		got := fit.Posterior.Fit.Objective.Value
		here := grid(m1, m2, s1, s2) // at moments of draws, which are a hundredth off
		if math.Abs(got-here) > 0.02 {
			t.Errorf("%s: objective %.4f, by the grid %.4f at %.3f, %.3f", name, got, here, m1, m2)
		}
		for _, d := range []float64{-0.1, 0.1} {
			for k, there := range []float64{grid(m1+d, m2, s1, s2), grid(m1, m2+d, s1, s2), grid(m1, m2, s1*(1+d), s2), grid(m1, m2, s1, s2*(1+d))} {
				if there < got-1e-4 {
					t.Errorf("%s: the objective falls from %.5f to %.5f along %d by %g", name, got, there, k, d)
				}
			}
		}
		if apart := math.Abs(m1 - m2); name == "mode" && apart < 1 || name == "between" && apart > 0.2 {
			t.Errorf("%s: means %.3f and %.3f", name, m1, m2)
		}
	}
	if gap := one.Posterior.Fit.Objective.Value - four.Posterior.Fit.Objective.Value; gap < 0.5 {
		t.Errorf("the optimum between the modes is %g above that on one", gap)
	}
	f := found(four, "starts")
	if f.Severity != diagnose.Good || len(four.Posterior.Fit.Starts) != 4 || !strings.Contains(f.Meaning, "Of 4 starts 3 reached the least objective") {
		t.Errorf("%v %s", f.Severity, f.Meaning)
	}
	if found(one, "starts").Name != "" {
		t.Error("one start is told as several")
	}
	// The same seed, the same fit.
	if again := run(`fvi(starts = 4, draws = 4000, check = "none")`, middle); again.Posterior.Fit.Objective.Value != four.Posterior.Fit.Objective.Value {
		t.Error("a second run differs")
	}
	// Without starts the point is one of two, and the better counts.
	if both := run(`fvi(draws = 100, check = "none")`, middle).Posterior.Fit.Objective.Value; both > four.Posterior.Fit.Objective.Value+0.01 && both > one.Posterior.Fit.Objective.Value+0.01 {
		t.Errorf("objective %g", both)
	}
}

// TestWrongStarts: where there is one way only, or none at fixed points.
func TestWrongStarts(t *testing.T) {
	m := boundTo(t, `parameters { real x; } model { x ~ normal(0, 1); }`, nil)
	for method, want := range map[string]string{
		`gvi(starts = 2, epochs = 3)`:            "starts belongs to fits at fixed points, which there are none of with epochs = 3",
		`gvi(starts = 2, family = "conjugate")`:  `starts belongs to fits at fixed points, which there are none of with family = "conjugate"`,
		`gvi(starts = 2, estimator = "vr-bbvi")`: `starts belongs to fits at fixed points, which there are none of with estimator = "vr-bbvi"`,
		`fvi(starts = 2, epochs = 1)`:            "starts belongs to fits at fixed points, which there are none of with epochs = 1",
	} {
		how, err := m.Program.Method(method)
		if err == nil {
			err = how.Runnable()
		}
		if err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), "method:1:") {
			t.Errorf("%s: %v", method, err)
		}
	}
}
