package lang

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/diagnose"
	"github.com/seed-12b88e03/ppl/infer/infertest"
)

// garch is a model whose gradients are cheap and evaluated together.
const garch = `
data { int T; array[T] real y; }
parameters { real mu; real<lower=0> a0; real<lower=0,upper=1> a1; real<lower=0,upper=(1-a1)> b1; }
model {
  real s = 0.5;
  mu ~ normal(0, 5); a0 ~ normal(0, 2);
  for (t in 1:T) {
    y[t] ~ normal(mu, s);
    s = sqrt(a0 + a1 * square(y[t] - mu) + b1 * square(s));
  }
}`

// A fit without lengths of its own ends where every parameter is known well enough, with the same
// draws on any number of goroutines; lengths that are given are kept; and inside other
// methods lengths are fixed.
func TestFitEndsByItself(t *testing.T) {
	y := make([]any, 60)
	for i := range y {
		y[i] = float64(i*i%17)/6 - 1.2
	}
	m := mustBind(t, garch, map[string]any{"T": len(y), "y": y})
	fit := func(expr string, jobs int) *Fit {
		t.Helper()
		method, err := m.Program.Method(expr)
		if err != nil {
			t.Fatal(err)
		}
		f, err := m.Run(context.Background(), method, RunOptions{Seed: 7, Jobs: jobs})
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	first := fit(`nuts(check = "none", ess = 300)`, 1)
	if s := first.Posterior.Stopping; s == nil || !s.Reached || first.Posterior.Plan.Draws > 2000 {
		t.Fatalf("found %+v after %d draws", s, first.Posterior.Plan.Draws)
	}
	for _, s := range first.Summaries {
		if s.ESSBulk < 300 || s.ESSTail < 300 || s.RHat > 1.01 {
			t.Errorf("%s has ESS %g, %g and R-hat %g", s.Name, s.ESSBulk, s.ESSTail, s.RHat)
		}
	}
	for _, jobs := range []int{2, 3, 4} {
		if other := fit(`nuts(check = "none", ess = 300)`, jobs); !infertest.SameDraws(first.Posterior, other.Posterior) {
			t.Errorf("%d goroutines give other draws", jobs)
		}
	}
	if p := fit(`nuts(check = "none", draws = 70)`, 2).Posterior; p.Draws.Len(0) != 70 || p.Plan.Warmup == 1000 {
		t.Errorf("%d draws after %d iterations", p.Draws.Len(0), p.Plan.Warmup)
	}
	if p := fit(`nuts(check = "none", warmup = 90, max_draws = 200)`, 2).Posterior; p.Plan.Warmup != 90 || p.Draws.Len(0) > 200 {
		t.Errorf("%d draws after %d iterations", p.Draws.Len(0), p.Plan.Warmup)
	}
	if p := fit(`bridge(nuts(), check = "none")`, 2).Posterior; p.Plan.Warmup != 1000 || p.Draws.Len(0) != 1000 {
		t.Errorf("%d draws after %d iterations inside another method", p.Draws.Len(0), p.Plan.Warmup)
	}
	method, err := m.Program.Method("nuts(draws = 70, ess = 300)")
	if err == nil {
		_, err = m.Run(context.Background(), method, RunOptions{})
	}
	if err == nil || !strings.Contains(err.Error(), "ess ends a run whose number of draws is not given") {
		t.Errorf("found %v", err)
	}
}

// A fit by sgld without lengths ends where its draws are precise, whatever the noise of lp__, and its
// answer, which is right, is not called bad. Normal posterior: precision 1/16 + 5/0.36 of mu at the mean of
// y by 5/0.36 of it; absent has the same mean and 0.36 more variance. With 400 effective draws a mean is off
// by 0.35 standard deviations, or a standard deviation by more than a quarter beside the twentieth of its
// bias, with a probability below 1e-9.
func TestStochasticGradientsUntilPrecise(t *testing.T) {
	y := []float64{1.3, 0.2, 0.9, 1.8, 0.6}
	m := mustBind(t, `data { vector[5] y; }
parameters { real mu; vector[3] absent; }
model { mu ~ normal(0, 4); y ~ normal(mu, 0.6); absent ~ normal(mu, 0.6); }`, map[string]any{"y": y})
	precision := 1/16. + 5/0.36
	mean, sd := 0.96*(5/0.36)/precision, math.Sqrt(1/precision)
	for seed := range uint64(5) {
		method, err := m.Program.Method("sgld()")
		if err != nil {
			t.Fatal(err)
		}
		f, err := m.Run(context.Background(), method, RunOptions{Seed: seed + 1})
		if err != nil {
			t.Fatal(err)
		}
		if s := f.Posterior.Stopping; s == nil || !s.Reached {
			t.Errorf("seed %d: it ended so: %+v", seed+1, s)
		}
		for _, finding := range f.Findings {
			if finding.Severity == diagnose.Bad {
				t.Errorf("seed %d: %s: %s", seed+1, finding.Name, finding.Meaning)
			}
		}
		for _, s := range f.Summaries {
			exact := sd
			if strings.HasPrefix(s.Name, "absent") {
				exact = math.Sqrt(sd*sd + 0.36)
			}
			if s.Name != "lp__" && (math.Abs(s.Mean-mean) > 0.35*exact || s.SD/exact > 1.3 || s.SD/exact < 0.8) {
				t.Errorf("seed %d: %s is %.3f (sd %.3f), exactly %.3f (%.3f)", seed+1, s.Name, s.Mean, s.SD, mean, exact)
			}
		}
	}
	counts := mustBind(t, `data { array[20] int y; vector[20] x; }
parameters { real a; real b; }
model { a ~ normal(0, 2); b ~ normal(0, 2); for (i in 1:20) y[i] ~ poisson_log(a + b * x[i]); }`, map[string]any{
		"y": []int{0, 1, 0, 2, 1, 3, 0, 1, 5, 0, 2, 0, 1, 0, 0, 7, 1, 2, 0, 1},
		"x": []float64{-1, .2, -.7, .9, .1, 1.1, -1.3, .3, 1.4, -.8, .6, -.2, .4, -1.1, -.5, 1.7, 0, .8, -.6, .3}})
	for _, seed := range []uint64{2, 3} {
		method, err := counts.Program.Method(`sgld(check = "none")`)
		if err != nil {
			t.Fatal(err)
		}
		f, err := counts.Run(context.Background(), method, RunOptions{Seed: seed + 1})
		if err != nil {
			t.Fatal(err)
		}
		if f.Posterior.Stopping.Slowest == "lp__" {
			t.Errorf("seed %d: the run went on for the noise of lp__", seed+1)
		}
	}
	for expr, thin := range map[string]int{"sgld(draws = 50)": 1, "sgld(step_size = 0.01, max_draws = 50)": 1, "sgld(max_draws = 50)": sgldThin, "sgld(max_draws = 50, thin = 3)": 3} {
		method, err := m.Program.Method(expr)
		if err != nil {
			t.Fatal(err)
		}
		f, err := m.Run(context.Background(), method, RunOptions{Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		if p := f.Posterior; p.Plan.Thin != thin || p.Draws.Len(0) != 50 {
			t.Errorf("%s: %d draws of %d steps each", expr, p.Draws.Len(0), p.Plan.Thin)
		}
	}
}

// TestStandingChainsReachNothing: with no room for an error in the energy no proposal is accepted, and chains stay where
// they began: at one value, or at one each. That is no precision that was asked for.
func TestStandingChainsReachNothing(t *testing.T) {
	m := mustBind(t, "parameters { real x; } model { x ~ normal(0, 1); }", nil)
	method, err := m.Program.Method(`nuts(max_error = 1e-300, check = "none")`)
	if err != nil {
		t.Fatal(err)
	}
	for _, points := range [][][]float64{{{0.3}}, {{0.3}, {-1}, {0.7}, {2}}} {
		f, err := m.Run(t.Context(), method, RunOptions{Seed: 1, Jobs: 2, Init: points})
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range f.Posterior.Draws.Column("x") {
			if x[0] != x[len(x)-1] {
				t.Fatal("a chain moved, so that this tests nothing")
			}
		}
		if f.Posterior.Stopping.Reached {
			t.Errorf("from %v: reached", points)
		}
		for _, finding := range f.Findings {
			if (finding.Name == "rhat" || finding.Name == "ess_bulk" || finding.Name == "ess_tail") && finding.Severity != diagnose.None && finding.Severity != diagnose.Bad {
				t.Errorf("from %v: %s is %s", points, finding.Name, finding.Severity)
			}
		}
	}
}
