package infertest_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/ais"
	"github.com/seed-12b88e03/ppl/infer/bridge"
	"github.com/seed-12b88e03/ppl/infer/hmc"
	"github.com/seed-12b88e03/ppl/infer/infertest"
	"github.com/seed-12b88e03/ppl/infer/nuts"
	"github.com/seed-12b88e03/ppl/infer/smc"
)

// logistic is the regression of the case: y ~ bernoulli_logit(X theta).
func logistic(x [][]float64, y []float64, prior infertest.Prior) *infertest.Model {
	d := len(x[0])
	m := infertest.FromParts(d, func(q []float64, beta float64, grad []float64) (lp, lik float64, err error) {
		lp = prior.LogDensity(q, grad)
		for j, row := range x {
			eta := 0.0
			for i, v := range q {
				eta += row[i] * v
			}
			lik += y[j]*eta - math.Max(eta, 0) - math.Log1p(math.Exp(-math.Abs(eta)))
			if grad != nil {
				r := y[j] - 1/(1+math.Exp(-eta))
				for i := range q {
					grad[i] += beta * r * row[i]
				}
			}
		}
		return lp, lik, nil
	})
	m.Prior = func(r *rand.Rand, q []float64) error {
		prior.Draw(r, q)
		return nil
	}
	return m
}

type logisticCase struct {
	X          [][]float64
	Y          []float64
	Posteriors map[string]struct {
		Mean, Var   []float64
		LogEvidence infertest.Number `json:"log_evidence"`
	}
}

// TestOracleEvidence: log evidence of the two-dimensional logistic regression
// by ais, smc and bridge with their default options, each within 4 of its own
// standard errors, which must be under 0.05; and posterior moments within 5
// errors. 12 evidences: a false alarm in about 1,300 seeds.
func TestOracleEvidence(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	var c logisticCase
	infertest.ReadOracle(t, "prior_swap/logistic_2d.json", &c)
	if len(c.Posteriors) == 0 {
		t.Fatal("the file holds no posterior")
	}
	n, err1 := nuts.New(nuts.DefaultOptions())
	h, err2 := hmc.New(hmc.DefaultOptions())
	a, err3 := ais.New(ais.DefaultOptions(n))
	byNUTS, err4 := smc.New(smc.DefaultOptions(n))
	byHMC, err5 := smc.New(smc.DefaultOptions(h))
	b, err6 := bridge.New(bridge.DefaultOptions(n))
	if err := errors.Join(err1, err2, err3, err4, err5, err6); err != nil {
		t.Fatal(err)
	}
	methods := []infer.Method{a, byNUTS, byHMC, b}
	for name, exact := range c.Posteriors {
		prior, ok := infertest.ParsePrior(name)
		if !ok {
			infertest.Unknown(t, name, "the prior is not one that the test can read")
			continue
		}
		want := float64(exact.LogEvidence)
		if !exact.LogEvidence.Finite() {
			infertest.Unknown(t, name, "the evidence is not a number")
			continue
		}
		model := logistic(c.X, c.Y, prior)
		for _, m := range methods {
			p := infertest.Fit(t, m, model, infer.Options{Seed: 31, Jobs: 2})
			e := *p.LogEvidence
			t.Logf("%-25s %-6s: %+.4f, error %.4f", name, m.Name(), e.Value-want, e.Error)
			if z := (e.Value - want) / e.Error; !(math.Abs(z) < 4) || !(e.Error < 0.05) {
				t.Errorf("%s by %s: log evidence %.4f with error %.4f, exactly %.4f", name, m.Name(), e.Value, e.Error, want)
			}
			truth := infertest.Case{Name: name, Mean: exact.Mean, SD: make([]float64, len(exact.Var))}
			for i, v := range exact.Var {
				truth.SD[i] = math.Sqrt(v)
			}
			if m.Name() == "bridge" {
				infertest.CheckMoments(t, p, truth, 5, 1.02)
			} else {
				infertest.CheckWeightedMoments(t, p, truth, 5, 1.5)
			}
		}
	}
}
