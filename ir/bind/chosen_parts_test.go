// Prior and likelihood of programs whose branches are done either way.

package bind_test

import (
	"math"
	"testing"

	"github.com/seed-12b88e03/ppl/infer"
)

// TestChosenParts: a choice between terms leaves each with prior, likelihood or the Jacobian, as the reference interpreter has them.
func TestChosenParts(t *testing.T) {
	for name, body := range map[string]string{
		"both likelihood":         "for (n in 1:N) { if (x[n] < at) y[n] ~ normal(a, s); else y[n] ~ normal(b, 2); }",
		"both prior":              "for (n in 1:N) { if (u[n] < at) u[n] ~ normal(a, s); else u[n] ~ normal(b, 2); }",
		"data decide which":       "for (n in 1:N) { if (u[n] < at) target += normal_lpdf(a | y[n], s); else target += normal_lpdf(a | 0, 2); }",
		"Jacobians":               "for (n in 1:N) { if (x[n] < at) jacobian += normal_lpdf(y[n] | a, s); else jacobian += normal_lpdf(y[n] | b, 2); }",
		"data that nothing draws": "for (n in 1:N) { if (u[n] < at) target += normal_lpdf(x[n] | a, s); else target += normal_lpdf(x[n] | b, 2); }",
		"one of the two alone":    "for (n in 1:N) { if (u[n] < at) a ~ normal(0, s); if (x[n] < at) y[n] ~ normal(b, 2); }",
		"a user's":                "for (n in 1:N) { if (u[n] < at) target += twice(a, s); else y[n] ~ own(b, 2); }",
	} {
		where := "model { y ~ normal(0, 5); u ~ normal(0, 1); s ~ exponential(1); " + body + " }"
		if name == "Jacobians" {
			where = "transformed parameters { " + body + " } model { y ~ normal(0, 5); u ~ normal(0, 1); s ~ exponential(1); }"
		}
		m := bound(t, `functions {
  real twice(real a, real s) { return normal_lpdf(a | 0, s) + normal_lpdf(a | 1, s); }
  real own_lpdf(real y, real m, real s) { if (y < m) return normal_lpdf(y | m, s); return normal_lpdf(y | m, 2 * s); }
}
data { int N; vector[N] x; vector[N] y; }
parameters { real at; real a; real b; real<lower=0> s; vector[N] u; }
`+where, `{"N": 8, "x": [-1, -0.5, 0, 0.25, 0.5, 1, 1.5, 2], "y": [0.5, -1, 0, 1.25, 0.75, 2, -2, 0]}`)
		for k, q := range [][]float64{{0.1, 0.4, -0.7, 0.2, 1, -1, 0.5, 0, 0.3, 2, -2, 0.7}, {-0.3, 1.4, 0.7, -0.2, 1, 1, -0.5, 0, -0.3, -2, 2, -0.7}} {
			prior, likelihood, err := m.NewEvaluator().(infer.Tempered).LogDensityParts(q)
			wantPrior, wantLikelihood, wantErr := m.PlainParts(q)
			if err != nil || wantErr != nil || math.Abs(prior-wantPrior) > 1e-11 || math.Abs(likelihood-wantLikelihood) > 1e-11 {
				t.Errorf("%s, point %d: prior %v, likelihood %v, %v; want %v, %v, %v", name, k, prior, likelihood, err, wantPrior, wantLikelihood, wantErr)
			}
			for _, jacobian := range []bool{false, true} {
				got, err := m.Density(jacobian, false).(infer.Evaluator).LogDensity(q)
				want, _, wantErr := m.PlainDensity(q, jacobian)
				if err != nil || wantErr != nil || math.Abs(got-want) > 1e-11*(1+math.Abs(want)) {
					t.Errorf("%s, point %d, Jacobian %v: %v, %v; want %v, %v", name, k, jacobian, got, err, want, wantErr)
				}
			}
		}
	}
}
