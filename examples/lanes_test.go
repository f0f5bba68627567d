package examples

// This file compares evaluations at several points at once with those at one.

import (
	"slices"
	"testing"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/lang"
)

// oscillator is a model of much arithmetic on single numbers: loops too short to be kept.
const oscillator = `
data {
  int N;
  vector[N] y;
}
parameters {
  real a;
  real b;
  real<lower=0> sigma;
}
model {
  real u = 0.5;
  real v = 0;
  a ~ normal(1, 0.5);
  b ~ normal(0, 0.5);
  sigma ~ gamma(4, 8);
  for (n in 1:N) {
    for (k in 1:20) {
      real w = v + 0.05 * (a * (1 - u * u) * v - u);
      u += 0.05 * (v + b * u);
      v = w / (1 + 0.01 * w * w);
    }
    y[n] ~ normal(u, sigma);
  }
}
`

// oscillators are the model with lanes and without.
func oscillators(t testing.TB) (models [2]*lang.Model) {
	t.Helper()
	prog, err := lang.Compile("oscillator.stan", oscillator, lang.Options{})
	if err != nil {
		t.Fatal(lang.ErrorText(err))
	}
	y := []float64{-1.2, -0.9, 2.1, 1.8, 2.5, 0.3, 0.1, -1.4, -0.8, 2.2, 1.9, 0.2, 0.4, -1.1, 2.4, 2.0}
	in, err := lang.Data(map[string]any{"N": len(y), "y": y})
	if err != nil {
		t.Fatal(err)
	}
	for i, off := range [][]string{nil, {"lanes"}} {
		if models[i], err = prog.Bind(in, lang.BindOptions{Seed: 1, Without: off}); err != nil {
			t.Fatal(lang.ErrorText(err))
		}
	}
	return models
}

// TestLanesChangeNoDraws runs the methods that evaluate points together with and without
// lanes: the draws are the same to the bit.
func TestLanesChangeNoDraws(t *testing.T) {
	models := oscillators(t)
	for _, method := range []string{
		"advi(iterations = 400, draws = 50)", `advi(family = "fullrank", iterations = 400, draws = 50)`, "pathfinder(draws = 100)",
		"laplace(draws = 100)", "gvi(draws = 50)", "ais(nuts(), steps = 30, chains = 10)", "ais(hmc(), steps = 30, chains = 10)",
		"nuts(warmup = 100, draws = 50, chains = 9)", "hmc(warmup = 100, draws = 50, chains = 9)",
	} {
		with, without := fitted(t, models[0], method, 3), fitted(t, models[1], method, 3)
		for _, name := range with.Posterior.Draws.Names() {
			for c, x := range with.Posterior.Draws.Column(name) {
				if !slices.Equal(x, without.Posterior.Draws.Column(name)[c]) {
					t.Errorf("%s: %s is not the same with lanes", method, name)
				}
			}
		}
	}
}

// BenchmarkLanes times gradients at four points at once and one after the other, of all
// workloads and posteriors. The metric "ratio" is the second over the first, "us" the time
// for one point of four.
func BenchmarkLanes(b *testing.B) {
	run := func(name string, e infer.Evaluator, at []float64) {
		b.Run(name, func(b *testing.B) {
			const n = 4
			q, grad := make([][]float64, n), make([][]float64, n)
			for i := range q {
				q[i], grad[i] = append([]float64(nil), at...), make([]float64, len(at))
				for j := range q[i] {
					q[i][j] += 0.001 * float64(i)
				}
			}
			lp, errs := make([]float64, n), make([]error, n)
			together := func() { infer.Gradients(e, q, grad, lp, errs) }
			apart := func() {
				for i := range q {
					lp[i], errs[i] = e.LogDensityGrad(q[i], grad[i])
				}
			}
			for range 400 {
				apart()
				together()
			}
			four, one := fastest(together, apart)
			b.ReportMetric(four/n/1000, "us")
			b.ReportMetric(one/four, "ratio")
			b.ReportMetric(0, "ns/op")
		})
	}
	for _, w := range workloads(b) {
		run(w.name, w.model.Bound().NewEvaluator(), w.point)
	}
	found, _ := posteriors(b)
	for _, p := range found {
		model := load(b, p.model, p.data())
		run(p.name, model.Bound().NewEvaluator(), point(model.Dim(), 0.5, 0))
	}
	vol := load(b, "gibbs_prior/volatility.ppl", "gibbs_prior/volatility.json")
	run("volatility", vol.Bound().NewEvaluator(), make([]float64, vol.Dim()))

}
