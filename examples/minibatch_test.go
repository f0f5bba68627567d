package examples

// This file compares methods on minibatches with exact posteriors.

import (
	"math"
	"runtime"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/lang"
)

const means = `data { int N; vector[N] y; vector[N] x; }
parameters { real a; real b; }
model { a ~ normal(0, 2); b ~ normal(0, 2); y ~ normal(a + b * x, 1); }`

// meansData makes observations with x = -1 and 1 in turn, so that a and b have
// independent normal posteriors with precision n w + 1/4 for a likelihood to the power w.
func meansData(n int) (vars map[string]any, sumY, sumXY float64) {
	x, y := make([]float64, n), make([]float64, n)
	for i := range y {
		x[i] = float64(2*(i%2) - 1)
		y[i] = 0.5 + 1.5*x[i] + 1.4*math.Sin(float64(i*i))
		sumY, sumXY = sumY+y[i], sumXY+x[i]*y[i]
	}
	return map[string]any{"N": n, "x": x, "y": y}, sumY, sumXY
}

// fitMeans runs a method on a model with these data.
func fitMeans(t *testing.T, text, expr string, vars map[string]any) (*lang.Fit, error) {
	t.Helper()
	prog, err := lang.Compile("means.ppl", text, lang.Options{})
	if err != nil {
		t.Fatal(lang.ErrorText(err))
	}
	model := bind(t, prog, vars)
	method, err := prog.Method(expr)
	if err != nil {
		t.Fatal(lang.ErrorText(err))
	}
	if err := model.Supports(method); err != nil {
		return nil, err
	}
	return model.Run(t.Context(), method, lang.RunOptions{Seed: 4, Jobs: runtime.GOMAXPROCS(0)})
}

// TestMinibatchesOfCounts: a batch of few small counts is steep far out and flat between, and
// once carried sgld away. Its means are within half an sd of those of nuts for four seeds; a
// chain of 10,000 draws has some hundred effective ones.
func TestMinibatchesOfCounts(t *testing.T) {
	const n = 30
	x, y := make([]float64, n), make([]int, n)
	for i := range n {
		x[i] = 1.3 * math.Sin(float64(3*i))
		y[i] = []int{0, 1, 0, 2, 0}[i%5]
	}
	prog, err := lang.Compile("counts.ppl", `data { int n; array[n] int y; vector[n] x; }
parameters { real a; real b; }
model { a ~ normal(0, 2); b ~ normal(0, 2); y ~ poisson_log(a + b * x); }`, lang.Options{})
	if err != nil {
		t.Fatal(lang.ErrorText(err))
	}
	m := bind(t, prog, map[string]any{"n": n, "x": x, "y": y})
	exact := fitted(t, m, "nuts()", 1).Posterior.Draws.Summaries()
	for seed := range uint64(4) {
		for i, s := range fitted(t, m, "sgld(draws = 10000)", seed+1).Posterior.Draws.Summaries() {
			if e := exact[i]; e.Name != "lp__" && math.Abs(s.Mean-e.Mean) > e.SD/2 {
				t.Errorf("seed %d: mean of %s %.3f, nuts has %.3f with an sd of %.3f", seed+1, s.Name, s.Mean, e.Mean, e.SD)
			}
		}
	}
}

// Variational fits are within a tenth of an sd, and 10 % of the sd, with draws of their
// own (an error of a thirtieth); sgld's sd may also be a twentieth too large by its bias.
func TestMinibatches(t *testing.T) {
	const n = 400
	vars, sumY, sumXY := meansData(n)
	for _, c := range []struct {
		expr  string
		power float64
	}{
		{"advi(batch = 40, iterations = 3000)", 1},
		{"gvi(batch = 40, iterations = 3000)", 1},
		{"gvi(batch = 200, iterations = 3000, divergence = kl(4))", 4},
		{"gvi(batch = 40, iterations = 3000, divergence = kl(0.25))", 0.25},
		{"gvi(divergence = kl(0.25))", 0.25},
		{"sgld(batch = 40, thin = 50)", 1},
	} {
		fit, err := fitMeans(t, means, c.expr, vars)
		if err != nil {
			t.Errorf("%s: %s", c.expr, lang.ErrorText(err))
			continue
		}
		precision := c.power*n + 0.25
		sd := 1 / math.Sqrt(precision)
		for name, mean := range map[string]float64{"a": c.power * sumY / precision, "b": c.power * sumXY / precision} {
			x := fit.Posterior.Draws.Column(name)
			off, ratio := (draws.Mean(x)-mean)/sd, draws.SD(x)/sd
			t.Logf("%-60s %s: mean off by %+.3f sd, sd %.3f of the exact one", c.expr, name, off, ratio)
			if math.Abs(off) > 0.2 || ratio < 0.85 || ratio > 1.18 {
				t.Errorf("%s, %s: mean off by %.3f sd, sd %.3f of the exact one", c.expr, name, off, ratio)
			}
		}
	}
}

// A likelihood that is no sum is an error with the place of the statement, before
// anything is run.
func TestMinibatchRefused(t *testing.T) {
	vars, _, _ := meansData(8)
	text := strings.Replace(means, "y ~ normal(a + b * x, 1);", "\n  y ~ multi_normal(a + b * x, identity_matrix(N));", 1)
	for _, expr := range []string{"advi(batch = 2)", "gvi(batch = 2)", "sgld()"} {
		_, err := fitMeans(t, text, expr, vars)
		if err == nil {
			t.Errorf("%s: no error", expr)
			continue
		}
		for _, want := range []string{"needs a log likelihood that is a sum over observations", "means.ppl:4:3", "one term for all of its observations", "without batch"} {
			if got := lang.ErrorText(err); !strings.Contains(got, want) {
				t.Errorf("%s: no %q in\n%s", expr, want, got)
			}
		}
	}
}
