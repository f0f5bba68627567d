package lang

// This file tests the verdicts of wrappers on discrete parameters, and what they say where
// little is known.

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/diagnose"
	"github.com/seed-12b88e03/ppl/diagnose/bread"
	"github.com/seed-12b88e03/ppl/diagnose/gibbsprior"
	"github.com/seed-12b88e03/ppl/diagnose/sbc"
)

// judged is the verdict of a diagnosis.
func judged(t *testing.T, m *Model, expr string) *diagnose.Verdict {
	t.Helper()
	d, err := m.Program.Diagnosis(expr)
	if err != nil {
		t.Fatal(ErrorText(err))
	}
	v, err := m.Diagnose(context.Background(), d, RunOptions{Seed: 1})
	if err != nil {
		t.Fatalf("%s: %s", expr, ErrorText(err))
	}
	return v
}

// farAway has a discrete parameter that its data fix: given them z is 0, under the prior it
// is 0 or 1 alike.
func farAway(t *testing.T) *Model {
	return mustBind(t, `
data { real y; }
parameters { int<lower=0, upper=1> z; real mu; }
model {
  z ~ bernoulli(0.5);
  mu ~ normal(0, 1);
  y ~ normal(mu + 10 * z, 1);
}`, map[string]any{"y": 0})
}

// TestDiscreteInGibbsPrior: the stated prior is that of z, not its posterior, in columns and
// in expressions. Tolerances are 4 standard errors of 108 draws.
func TestDiscreteInGibbsPrior(t *testing.T) {
	m := farAway(t)
	for _, method := range []string{"laplace(draws = 1)", "nuts(chains = 1, warmup = 50, draws = 10)", "gibbs(chains = 1, warmup = 10, draws = 10)", "cavi(draws = 1)"} {
		v := judged(t, m, "gibbs_prior("+method+", steps = 30, chains = 4, statistics = [z, 2.0 * z, mu + z])")
		want := map[string][2]float64{"z": {0.5, 0.5}, "2.0 * z": {1, 1}, "mu + z": {0.5, math.Sqrt(1.25)}}
		found := v.Figures.(*gibbsprior.Figures).Statistics
		if len(found) != len(want) {
			t.Errorf("%s: %d statistics, not %d", method, len(found), len(want))
		}
		for _, s := range found {
			w := want[s.Name]
			for what, x := range map[string]gibbsprior.Moments{"prior": s.Prior, "gibbs": s.Gibbs} {
				bound := 4 * w[1] / math.Sqrt(108)
				if what == "gibbs" {
					bound *= 2 // a chain's draws depend on each other
				}
				if math.Abs(float64(x.Mean)-w[0]) > bound {
					t.Errorf("%s: %s mean of %s is %.3f, want %.3f", method, what, s.Name, x.Mean, w[0])
				}
			}
		}
	}
}

// TestDiscreteInSBC: statistics are of the draw's own discrete values, and what does not vary
// is named.
func TestDiscreteInSBC(t *testing.T) {
	m := mustBind(t, `
data { real y; }
parameters { int<lower=0, upper=1> z; real mu; }
model { z ~ bernoulli(0.5); mu ~ normal(0, 1); y ~ normal(mu + z, 1); }`, map[string]any{"y": 0})
	for _, method := range []string{"laplace()", "gibbs(chains = 1, warmup = 50, draws = 200)", "smc(nuts(), particles = 100)", "ais(mh(), chains = 100, steps = 20)"} {
		v := judged(t, m, "sbc("+method+", replications = 25, draws = 19, bins = 5, statistics = [mu, 3.0 * z, mu + 100 * z, 0.0 * z])")
		f := v.Figures.(sbc.Figures)
		if f.Failures > 0 || len(f.Parameters) != 3 {
			t.Fatalf("%s: %d failures, %d quantities: %s %q", method, f.Failures, len(f.Parameters), v.Summary, v.Notes)
		}
		alike := true
		for i, r := range f.Parameters[0].Ranks {
			alike = alike && *r == *f.Parameters[2].Ranks[i]
		}
		if alike {
			t.Errorf("%s: mu + 100 * z has the ranks of mu", method)
		}
		if !strings.Contains(strings.Join(v.Notes, " "), "0.0 * z is the same in all draws") {
			t.Errorf("%s: %q", method, v.Notes)
		}
	}
}

// twoInts has two discrete parameters and a log likelihood known at each of their values.
func twoInts(t *testing.T) *Model {
	return mustBind(t, `
data { real y; }
parameters { int<lower=1, upper=3> a; int<lower=1, upper=4> b; }
model {
  a ~ categorical([0.7, 0.2, 0.1]');
  b ~ categorical([0.4, 0.3, 0.2, 0.1]');
  y ~ normal(a * b, 1);
}`, map[string]any{"y": 8.3})
}

func TestBreadStartsAtDiscreteValues(t *testing.T) {
	m := twoInts(t)
	file := filepath.Join(t.TempDir(), "start.json")
	write := func(text string) {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, kernel := range []string{"gibbs()", "mh()"} {
		expr := fmt.Sprintf("bread(%s, steps = [1, 3], chains = 20, data = \"given\", start = %q, schedule = \"geometric\")", kernel, file)
		write(`[{"a": 2, "b": 4}, {"a": 3, "b": 3}]`)
		f := judged(t, m, expr).Figures.(bread.Figures)
		for i, ab := range []float64{8, 9} {
			want := -0.5*(8.3-ab)*(8.3-ab) - 0.5*math.Log(2*math.Pi)
			if got := float64(f.Ladder[0].Reverse[i]); math.Abs(got-want) > 1e-9 {
				t.Errorf("%s: from draw %d the reverse value is %v, want %v", kernel, i+1, got, want)
			}
		}
		for text, says := range map[string]string{
			`{"b": 4}`: "a", `{"a": 9, "b": 4}`: "between 1 and 3", `{"a": 0, "b": 4}`: "between 1 and 3", `{"a": 2.5, "b": 4}`: "a", `{"a": 2, "b": [4, 4]}`: "b",
		} {
			write(text)
			d, err := m.Program.Diagnosis(expr)
			if err == nil {
				_, err = m.Diagnose(context.Background(), d, RunOptions{Seed: 1})
			}
			if err == nil || !strings.Contains(ErrorText(err), says) {
				t.Errorf("%s: start %s: %v", kernel, text, err)
			}
		}
	}
}

// TestBreadTakesDrawsAsTheyComeFromFits: an array of objects, arrays by parameter, the CSV file
// of a chain and the folder of a fit name the same starts; the log likelihood at them is known.
func TestBreadTakesDrawsAsTheyComeFromFits(t *testing.T) {
	m := mustBind(t, "data { real y; } parameters { vector[2] mu; array[2] int<lower=1, upper=3> k; } model { mu ~ normal(0, 3); k ~ categorical([0.5, 0.3, 0.2]'); y ~ normal(mu[1] * k[1] + mu[2] * k[2], 1); }",
		map[string]any{"y": 2.1})
	dir := t.TempDir()
	for name, text := range map[string]string{
		"sets.json":            `[{"mu": [1, 2], "k": [1, 3]}, {"mu": [0.5, -1], "k": [2, 2]}]`,
		"columns.json":         `{"mu": [[1, 2], [0.5, -1]], "k": [[1, 3], [2, 2]]}`,
		"fit/chain-1.csv":      "lp__,mu.1,mu.2,k.1,k.2\n0,1,2,1,3\n0,0.5,-1,2,2\n",
		"outside/chain-1.csv":  "lp__,mu.1,mu.2,k.1,k.2\n0,1,2,1,4\n",
		"fraction/chain-1.csv": "lp__,mu.1,mu.2,k.1,k.2\n0,1,2,1,1.5\n",
		"lacking/chain-1.csv":  "lp__,mu.1,mu.2,k.1\n0,1,2,1\n",
	} {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	expr := func(start string) string {
		return fmt.Sprintf("bread(gibbs(), steps = [1, 3], chains = 20, data = \"given\", start = %q, schedule = \"geometric\")", filepath.Join(dir, start))
	}
	for _, start := range []string{"sets.json", "columns.json", "fit/chain-1.csv", "fit"} {
		f := judged(t, m, expr(start)).Figures.(bread.Figures)
		for i, mean := range []float64{7, -1} {
			want := -0.5*(2.1-mean)*(2.1-mean) - 0.5*math.Log(2*math.Pi)
			if got := float64(f.Ladder[0].Reverse[i]); math.Abs(got-want) > 1e-9 {
				t.Errorf("%s: from draw %d the reverse value is %v, want %v", start, i+1, got, want)
			}
		}
	}
	for start, says := range map[string]string{"outside": "k[2] is 4, but must be less than or equal to 3", "fraction": "whole number", "lacking": "no column k.2", "nowhere.csv": "nowhere.csv"} {
		d, err := m.Program.Diagnosis(expr(start))
		if err == nil {
			_, err = m.Diagnose(context.Background(), d, RunOptions{Seed: 1})
		}
		if err == nil || !strings.Contains(ErrorText(err), says) {
			t.Errorf("%s: want an error with %q, found %v", start, says, err)
		}
	}
	if d, err := m.Program.Diagnosis(expr("fit")); err != nil || strings.Contains(d.String(), "datasets") {
		t.Errorf("with given data there are no data sets to count: %v, %v", d, err)
	}
}

// sums is a normal model whose log p(y) is -9.80495.
func sums(t *testing.T) *Model {
	return mustBind(t, "data { int N; vector[N] y; } parameters { vector[2] mu; } model { mu ~ normal(0, 3); y ~ normal(mu[1] + mu[2], 1); }",
		map[string]any{"N": 6, "y": []float64{2.1, 3.3, 1.7, 2.9, 4.0, 2.5}})
}

// TestBreadSaysNoMoreThanItKnows: without an exact draw nothing is good; one pair of chains
// has no error; a log p(y) that was given is held against the chains; and without data there
// is nothing to anneal.
func TestBreadSaysNoMoreThanItKnows(t *testing.T) {
	const few = "bread(nuts(chains = 1, warmup = 100, draws = 100), steps = [10, 50], chains = 10, data = \"given\""
	empty := mustBind(t, "parameters { real x; real y; } model { x ~ normal(0, 1); y ~ normal(x, 1); }", nil)
	for _, c := range []struct {
		m        *Model
		expr     string
		severity diagnose.Severity
		says     string
	}{
		{sums(t), few + ")", diagnose.None, "agree within"},
		{sums(t), few + ", log_evidence = -40)", diagnose.Bad, "contradicts the chains"},
		{sums(t), few + ", log_evidence = 40)", diagnose.Bad, "contradicts the chains"},
		{sums(t), few + ", log_evidence = -9.80495)", diagnose.None, "agree within"},
		{sums(t), "bread(nuts(), steps = [10], chains = 1, datasets = 1)", diagnose.None, "One pair of chains"},
		{empty, "bread(nuts(), steps = [3], chains = 3, datasets = 2)", diagnose.None, "nothing to anneal"},
		{sums(t), "bread(advi(family = \"fullrank\", draws = 100), steps = [3, 30], chains = 20, datasets = 5)", diagnose.Good, "advi itself is within"},
	} {
		if v := judged(t, c.m, c.expr); v.Severity != c.severity || !strings.Contains(v.Summary, c.says) {
			t.Errorf("%s: %s %s", c.expr, v.Severity, v.Summary)
		}
	}
	d, err := sums(t).Program.Diagnosis("bread(nuts(), bad = 1, warning = 10)")
	if err == nil {
		_, err = sums(t).Diagnose(context.Background(), d, RunOptions{Seed: 1})
	}
	if err == nil || !strings.Contains(ErrorText(err), "bad must not be below warning") {
		t.Errorf("%v", err)
	}
}

// TestGibbsPriorVerdicts: chains started at the truth judge the code, and triples stand
// without convergence.
func TestGibbsPriorVerdicts(t *testing.T) {
	toy := mustBind(t, "data { real y; } parameters { real a; } model { a ~ normal(0, 1); y ~ normal(a, 1); }", map[string]any{"y": 0.5})
	for _, c := range []struct {
		m        *Model
		expr     string
		severity diagnose.Severity
		says     string
	}{
		{toy, "gibbs_prior(nuts(warmup = 0, draws = 8, chains = 1), steps = 600, warm_start = true)", diagnose.None, "judges the code"},
		{toy, "gibbs_prior(map(), steps = 150, chains = 4)", diagnose.Bad, ""},
	} {
		v := judged(t, c.m, c.expr)
		if v.Severity != c.severity || !strings.Contains(v.Summary, c.says) {
			t.Errorf("%s: %s %s", c.expr, v.Severity, v.Summary)
		}
	}
}

// TestAnswersThatAPriorMakesExact: no note says that no proper prior makes an answer exact where one does. On a finite space each
// prior is proper, and the coordinate ascent of one parameter is exact; and the second model's block is the posterior of what its
// simulate block says, and no likelihood.
func TestAnswersThatAPriorMakesExact(t *testing.T) {
	for _, c := range []struct {
		text, expr string
		data       map[string]any
	}{
		{`data { int y; matrix[2, 2] F; } parameters { int<lower=1, upper=2> theta; }
model { theta ~ categorical([0.3, 0.7]'); y ~ categorical(F[, theta]); }`, "gibbs_prior(cavi(draws = 1), steps = 300)",
			map[string]any{"y": 1, "F": [][]float64{{0.8, 0.3}, {0.2, 0.7}}}},
		{`data { real y; } parameters { real theta; } model { target += normal_lpdf(theta | y / 2, 1 / sqrt(2)); }
simulate { theta = normal_rng(0, 1); y = normal_rng(theta, 1); }`, "gibbs_prior(laplace(draws = 1), steps = 300)", map[string]any{"y": 0.3}},
	} {
		v := judged(t, mustBind(t, c.text, c.data), c.expr)
		if notes := strings.Join(v.Notes, " "); v.Severity == diagnose.Bad || strings.Contains(notes, "proper prior") {
			t.Errorf("%s %s: %s", v.Severity, v.Summary, notes)
		}
	}
}

// TestSizesOfGibbsPriors: compactness and entropy are of the parameters, whatever statistics are compared:
// of a normal sqrt(2 (1.55^2 + 1.45^2)) and 1 + log(2 pi) + log(det)/2, to 4 standard errors of a variance from 360 draws;
// of 8 values alike log 8, of which as many draws give 7/720 less on average; of a number and a value none.
func TestSizesOfGibbsPriors(t *testing.T) {
	figures := func(m *Model, expr string) *gibbsprior.Figures {
		return judged(t, m, "gibbs_prior("+expr+")").Figures.(*gibbsprior.Figures)
	}
	normal := mustBind(t, `data { vector[2] y; } parameters { vector[2] theta; }
model { theta ~ multi_normal([0, 0]', [[1.55, 1.45], [1.45, 1.55]]); y ~ multi_normal(theta, [[1, 0], [0, 1]]); }`, map[string]any{"y": []float64{0.5, -1}})
	f := figures(normal, "laplace(draws = 1), steps = 100")
	most := 4 * math.Sqrt(2./360)
	if c := float64(f.Compactness.Prior) / math.Sqrt(2*(1.55*1.55+1.45*1.45)); math.Abs(c-1) > most {
		t.Errorf("compactness %.3f of the exact one", c)
	}
	if e := 1 + math.Log(2*math.Pi) + math.Log(1.55*1.55-1.45*1.45)/2; math.Abs(float64(f.Entropy.Prior)-e) > most {
		t.Errorf("entropy %.3f, exactly %.3f", f.Entropy.Prior, e)
	}
	if g := figures(normal, "laplace(draws = 1), steps = 100, statistics = [theta[1], 7 * theta[2]]"); g.Compactness != f.Compactness || g.Entropy != f.Entropy {
		t.Errorf("with statistics %+v and %+v, without %+v and %+v", g.Compactness, g.Entropy, f.Compactness, f.Entropy)
	}
	const text = "data { real y; } parameters { int<lower=1, upper=8> z; %s } model { z ~ categorical(rep_vector(0.125, 8)); %s }"
	values := mustBind(t, fmt.Sprintf(text, "", "y ~ normal(z, 1);"), map[string]any{"y": 3.3})
	if f := figures(values, "gibbs(chains = 1, warmup = 10, draws = 1), steps = 100"); math.Abs(float64(f.Entropy.Prior)-math.Log(8)) > 0.05 {
		t.Errorf("entropy %.3f, exactly %.3f", f.Entropy.Prior, math.Log(8))
	}
	both := mustBind(t, fmt.Sprintf(text, "real mu;", "mu ~ normal(0, 1); y ~ normal(mu + z, 1);"), map[string]any{"y": 3.3})
	if f := figures(both, "gibbs(chains = 1, warmup = 10, draws = 1), steps = 100"); !math.IsNaN(float64(f.Entropy.Prior)) {
		t.Errorf("entropy %.3f of a number and a value", f.Entropy.Prior)
	}
}
