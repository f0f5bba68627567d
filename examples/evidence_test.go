package examples

// This file compares the evidence of programs with exact values.

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/seed-12b88e03/ppl/lang"
)

// logisticProgram is the regression of the oracle under some prior.
const logisticProgram = `data {
  int<lower=0> N;
  matrix[N, 2] X;
  array[N] int<lower=0, upper=1> y;
}
parameters {
  vector[2] theta;
}
model {
  theta ~ %s;
  y ~ bernoulli_logit(X * theta);
}
`

// priorText turns "normal_sd1", "normal_var0.5" or "laplace_b0.3" into a distribution.
func priorText(name string) (string, bool) {
	var v float64
	for format, text := range map[string]string{
		"normal_sd%g": "normal(0, %g)", "normal_var%g": "normal(0, sqrt(%g))", "laplace_b%g": "double_exponential(0, %g)",
	} {
		if n, _ := fmt.Sscanf(name, format, &v); n == 1 {
			return fmt.Sprintf(text, v), true
		}
	}
	return "", false
}

// TestOracleEvidence: the log evidence of a logistic regression in two dimensions by
// annealing, by tempered particles and by bridge sampling, each within 4 of its own
// standard errors, which are under 0.05. 9 estimates: a false alarm in about 1,700
// seeds; the seed is fixed.
func TestOracleEvidence(t *testing.T) {
	var c struct {
		X          [][]float64
		Y          []int
		Posteriors map[string]struct {
			LogEvidence float64 `json:"log_evidence"`
		}
	}
	text, err := os.ReadFile(shared(t, filepath.Join("oracles", "prior_swap", "logistic_2d.json")))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &c); err != nil {
		t.Fatal(err)
	}
	for name, exact := range c.Posteriors {
		prior, ok := priorText(name)
		if !ok {
			t.Errorf("no prior called %q is known here", name)
			continue
		}
		path := filepath.Join(t.TempDir(), "logistic.ppl")
		if err := os.WriteFile(path, fmt.Appendf(nil, logisticProgram, prior), 0o644); err != nil {
			t.Fatal(err)
		}
		prog := compile(t, path)
		model := bind(t, prog, map[string]any{"N": len(c.Y), "X": c.X, "y": c.Y})
		for _, expr := range []string{"ais()", "smc()", "bridge(nuts())"} {
			method, err := prog.Method(expr)
			if err != nil {
				t.Fatal(lang.ErrorText(err))
			}
			fit, err := model.Run(t.Context(), method, lang.RunOptions{Seed: 2, Jobs: runtime.GOMAXPROCS(0)})
			if err != nil {
				t.Fatal(lang.ErrorText(err))
			}
			e := fit.Posterior.LogEvidence
			t.Logf("%-25s %-14s %+.4f, error %.4f", name, expr, e.Value-exact.LogEvidence, e.Error)
			if z := (e.Value - exact.LogEvidence) / e.Error; !(math.Abs(z) < 4) || !(e.Error < 0.05) {
				t.Errorf("%s by %s: log evidence %.4f with error %.4f, exactly %.4f", name, expr, e.Value, e.Error, exact.LogEvidence)
			}
		}
	}
}
