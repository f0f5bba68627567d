package examples

// This file compares evaluations at several points at once with those at one.

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/infertest/subset"
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
		if subset.Has(method, 2) {
			sameDraws(t, models, method)
		}
	}
	for _, m := range []*recurrent{&recurrents[0], &recurrents[4]} { // a hidden Markov chain, and one of explicit states
		short := *m
		short.n = 60
		sameDraws(t, short.both(t), "nuts(warmup = 60, draws = 40, chains = 7)")
	}
}

// sameDraws compares the draws of a model with lanes and without.
func sameDraws(t *testing.T, models [2]*lang.Model, method string) {
	t.Helper()
	with, without := fitted(t, models[0], method, 3), fitted(t, models[1], method, 3)
	for _, name := range with.Posterior.Draws.Names() {
		for c, x := range with.Posterior.Draws.Column(name) {
			if !slices.Equal(x, without.Posterior.Draws.Column(name)[c]) {
				t.Errorf("%s: %s is not the same with lanes", method, name)
			}
		}
	}
}

// TestLanesChangeNoVerdict judges methods by replications with and without lanes: the verdicts
// are the same to the bit, however many replications are at work in a goroutine.
func TestLanesChangeNoVerdict(t *testing.T) {
	filter := recurrents[5] // a Kalman filter, which can be simulated
	filter.n = subset.Of(60, 120)
	models := filter.both(t)
	for _, expr := range []string{
		"sbc(nuts(warmup = 30, draws = 30, chains = 1), replications = 11, draws = 15, bins = 4)",
		"sbc(hmc(warmup = 30, draws = 30, chains = 3), replications = 9, draws = 15, bins = 4, statistics = [a, q * y[1]])",
		"gibbs_prior(nuts(warmup = 10, draws = 5), steps = 30, chains = 5)",
		"gibbs_prior(laplace(), steps = 30, chains = 5)",
		"sbc(gibbs_prior(nuts(warmup = 5, draws = 5), steps = 20, chains = 2), replications = 3, draws = 15, bins = 4)",
	} {
		want := verdictText(t, models[1], expr, 2)
		for _, jobs := range []int{3, 1}[:subset.Of(1, 2)] {
			if got := verdictText(t, models[0], expr, jobs); got != want {
				t.Errorf("%s, %d goroutines: another verdict with lanes:\n%s\n%s", expr, jobs, got, want)
			}
		}
	}
}

// verdictText is a diagnosis as JSON.
func verdictText(t *testing.T, m *lang.Model, expr string, jobs int) string {
	t.Helper()
	d, err := m.Program.Diagnosis(expr)
	if err != nil {
		t.Fatal(lang.ErrorText(err))
	}
	v, err := m.Diagnose(context.Background(), d, lang.RunOptions{Seed: 4, Jobs: jobs})
	if err != nil {
		t.Fatal(lang.ErrorText(err))
	}
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestLanesOfRecurrents compares gradients of recurrences at several points at once with those
// of the same model without lanes, to the bit.
func TestLanesOfRecurrents(t *testing.T) {
	for i := range recurrents {
		m := recurrents[i]
		m.n = min(m.n, 150)
		models := m.both(t)
		with := models[0]
		several, alone := with.Bound().NewEvaluator(), models[1].Bound().NewEvaluator()
		r := rand.New(rand.NewPCG(3, uint64(i)))
		want := make([]float64, with.Dim())
		for range 300 { // the program is compiled for several points after some
			n := 2 + r.IntN(4)
			q, grad, lp, errs := make([][]float64, n), make([][]float64, n), make([]float64, n), make([]error, n)
			for k := range q {
				q[k], grad[k] = make([]float64, with.Dim()), make([]float64, with.Dim())
				for j := range q[k] {
					q[k][j] = 0.7 * r.NormFloat64()
				}
			}
			infer.Gradients(several, q, grad, lp, errs)
			for k := range q {
				x, err := alone.LogDensityGrad(q[k], want)
				if (err == nil) != (errs[k] == nil) || err == nil && (x != lp[k] || !slices.Equal(want, grad[k])) {
					t.Fatalf("%s: %v, %v among others; %v, %v alone", m.name, lp[k], errs[k], x, err)
				}
			}
		}
	}
}

// BenchmarkLanes times gradients at two to four points at once and one after the other, of all
// workloads, posteriors and models of recurrences. The metrics "of 2", "of 3" and "of 4" are the
// second over the first, "us" is the time for one point of four, "alone" that for one by itself.
func BenchmarkLanes(b *testing.B) {
	run := func(name string, m *lang.Model, at []float64) {
		b.Run(name, func(b *testing.B) {
			for n := 2; n <= 4; n++ {
				several, one := lanesTimes(m, at, n)
				b.ReportMetric(one/several, fmt.Sprintf("of-%d", n))
				if n == 4 {
					b.ReportMetric(several/float64(n)/1000, "us")
					b.ReportMetric(one/float64(n)/1000, "alone")
				}
			}
			b.ReportMetric(0, "ns/op")
		})
	}
	for _, w := range workloads(b) {
		run(w.name, w.model, w.point)
	}
	found, _ := posteriors(b)
	for _, p := range found {
		model := load(b, p.model, p.data())
		run(p.name, model, point(model.Dim(), 0.5, 0))
	}
	for i := range recurrents {
		model := recurrents[i].bound(b)
		run(recurrents[i].name, model, make([]float64, model.Dim()))
	}
	for _, name := range []string{"earthquakes", "rats", "puromycin", "dugongs"} {
		model := load(b, filepath.Join(name, name+".ppl"), filepath.Join(name, name+".json"))
		run(name, model, make([]float64, model.Dim()))
	}
	vol := load(b, "gibbs_prior/volatility.ppl", "gibbs_prior/volatility.json")
	run("volatility", vol, make([]float64, vol.Dim()))
}

// lanesTimes returns the time of n gradients at once, and of as many one after the other.
func lanesTimes(m *lang.Model, at []float64, n int) (several, one float64) {
	together, alone := m.Bound().NewEvaluator(), m.Bound().NewEvaluator()
	q, grad := make([][]float64, n), make([][]float64, n)
	for i := range q {
		q[i], grad[i] = append([]float64(nil), at...), make([]float64, len(at))
		for j := range q[i] {
			q[i][j] += 0.001 * float64(i)
		}
	}
	lp, errs := make([]float64, n), make([]error, n)
	f := func() { infer.Gradients(together, q, grad, lp, errs) }
	g := func() {
		for i := range q {
			lp[i], errs[i] = alone.LogDensityGrad(q[i], grad[i])
		}
	}
	for range 1000 { // as many as it takes for a program to be compiled for several points
		f()
		g()
	}
	return fastest(f, g)
}
