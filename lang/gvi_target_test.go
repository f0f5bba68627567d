package lang

import (
	"testing"

	"github.com/seed-12b88e03/ppl/diagnose"
)

// TestGviAimsElsewhere: a right answer to another loss or divergence is not judged as a posterior,
// with all terms of the likelihood or some in each step; one to the usual ones is.
func TestGviAimsElsewhere(t *testing.T) {
	m := mustBind(t, "data { vector[6] y; } parameters { real mu; } model { mu ~ normal(0, 2); y ~ normal(mu, 1); }",
		map[string]any{"y": []float64{0.5, 1.5, 2.5, 3.5, 1, 2}})
	for expr, posterior := range map[string]bool{
		`gvi(divergence = kl(0.25), check = "none")`:            false,
		`gvi(divergence = kl(0.25), batch = 3, check = "none")`: false,
		`gvi(loss = beta(1.2), check = "none")`:                 false,
		`gvi(check = "none")`:                                   true,
		`gvi(batch = 3, check = "none")`:                        true,
	} {
		fit := fitBy(t, m, expr, 1)
		weighted, k := found(fit, "weighted_moments"), found(fit, "pareto_k")
		if got := weighted.Name != "" && k.Severity != diagnose.None; got != posterior || !posterior && (weighted.Name != "" || k.Severity != diagnose.None) {
			t.Errorf("%s: %s %s; %s %s", expr, k.Severity, k.Meaning, weighted.Severity, weighted.Meaning)
		}
	}
}
