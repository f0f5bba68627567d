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

	"github.com/seed-12b88e03/ppl/infer/infertest"
	"github.com/seed-12b88e03/ppl/lang"
)

// logisticProgram is the regression of the oracle under some prior.
const logisticProgram = `data {
  int<lower=0> N;
  int<lower=1> D;
  matrix[N, D] X;
  array[N] int<lower=0, upper=1> y;
}
parameters {
  vector[D] theta;
}
model {
  %s
  y ~ bernoulli_logit(X * theta);
}
`

// TestOracleEvidence: the log evidence of a logistic regression in two dimensions by
// annealing, by tempered particles and by bridge sampling, each within 4 of its own
// standard errors, which are under 0.05. 9 estimates: a false alarm in about 1,700
// seeds; the seed is fixed.
func TestOracleEvidence(t *testing.T) {
	var c struct {
		X          [][]float64
		Y          []int
		Posteriors map[string]struct {
			LogEvidence infertest.Number `json:"log_evidence"`
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
		prior, ok := infertest.ParsePrior(name)
		if !ok || !exact.LogEvidence.Finite() {
			infertest.Unknown(t, name, "the test cannot read the prior, or there is no evidence")
			continue
		}
		want := float64(exact.LogEvidence)
		path := filepath.Join(t.TempDir(), "logistic.ppl")
		if err := os.WriteFile(path, fmt.Appendf(nil, logisticProgram, prior.Statement("theta")), 0o644); err != nil {
			t.Fatal(err)
		}
		prog := compile(t, path)
		model := bind(t, prog, map[string]any{"N": len(c.Y), "D": len(c.X[0]), "X": c.X, "y": c.Y})
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
			t.Logf("%-25s %-14s %+.4f, error %.4f", name, expr, e.Value-want, e.Error)
			if z := (e.Value - want) / e.Error; !(math.Abs(z) < 4) || !(e.Error < 0.05) {
				t.Errorf("%s by %s: log evidence %.4f with error %.4f, exactly %.4f", name, expr, e.Value, e.Error, want)
			}
		}
	}
}
