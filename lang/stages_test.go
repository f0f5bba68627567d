package lang

import (
	"context"
	"strings"
	"testing"

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
