package lang

// This file tests that nothing goes on that nobody waits for: each of these would take years.

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/seed-12b88e03/ppl/ir/data"
)

const oscillator = `functions { vector f(real t, vector y, real k) { return [y[2], -k * y[1]]'; } }
`

// soon is a context that ends after the work has begun.
func soon(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
	t.Cleanup(cancel)
	return ctx
}

// TestSolversAreGivenUp: a solver with 10^9 steps ends with the context, in transformed data and in the density.
func TestSolversAreGivenUp(t *testing.T) {
	for _, solver := range []string{"ode_rk45_tol", "ode_ckrk_tol", "ode_bdf_tol", "ode_adams_tol"} {
		call := solver + "(f, [1, 0]', 0, {1e12}, 1e-10, 1e-10, 1000000000, "
		p, err := Compile("m.ppl", oscillator+"transformed data { array[1] vector[2] r = "+call+"1); } parameters { real k; } model { k ~ normal(0, 1); }", Options{})
		if err != nil {
			t.Fatal(ErrorText(err))
		}
		if _, err := p.BindContext(soon(t), &data.Set{}, BindOptions{}); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s in transformed data: %v", solver, err)
		}
		m := mustBind(t, oscillator+"parameters { real<lower=0.5, upper=1.5> k; } model { array[1] vector[2] r = "+call+"k); r[1] ~ normal(0, 1); }", nil)
		method, err := m.Program.Method("nuts(chains = 1, warmup = 10, draws = 10)")
		if err != nil {
			t.Fatal(err)
		}
		if fit, err := m.Run(soon(t), method, RunOptions{Seed: 1}); err == nil && !fit.Posterior.Incomplete {
			t.Errorf("%s in the density: the run is complete", solver)
		}
	}
}

// TestDiagnosesAreGivenUp: so does a diagnosis whose generated quantities have no end.
func TestDiagnosesAreGivenUp(t *testing.T) {
	m := mustBind(t, `data { int N; vector[N] y; } parameters { real m; } model { m ~ normal(0, 1); y ~ normal(m, 1); }
generated quantities { real z = normal_rng(m, 1); while (z < 1e300) z += 1; }`, map[string]any{"N": 2, "y": []float64{1, 2}})
	for _, text := range []string{
		"sbc(nuts(warmup = 20, draws = 20, chains = 1), replications = 10)",
		"bread(nuts(warmup = 20, draws = 20, chains = 1), steps = [5, 10], chains = 5, datasets = 2)",
	} {
		d, err := m.Program.Diagnosis(text)
		if err != nil {
			t.Fatal(ErrorText(err))
		}
		if v, err := m.Diagnose(soon(t), d, RunOptions{Seed: 1}); err == nil && !v.Incomplete {
			t.Errorf("%s: the verdict is complete", text)
		}
	}
}
