package lang

// This file tests what is computed from the draws of an earlier fit.

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-12b88e03/ppl/infer/draws"
)

// fitOf is a table as a fit's file gives it: two chains of n draws of mu and s.2.
func fitOf(n int) *draws.Draws {
	d := draws.New(2, []string{"accept_stat__"}, []string{"mu", "s.1", "s.2", "derived"})
	for c := range 2 {
		for i := range n {
			d.Append(draws.Row{Chain: c, LogDensity: -1, Stats: []float64{1}, Values: []float64{float64(c), 1, 2 + float64(i), 9}})
		}
	}
	return d
}

const generating = `
data { int N; vector[N] y; }
parameters { vector<lower=0>[2] s; real mu; }
model { y ~ normal(mu, s[2]); mu ~ normal(0, 1); s ~ exponential(1); }
generated quantities { real twice = 2 * s[2] + mu; real e = normal_rng(mu, 1); if (mu > 0 && s[2] > 10) reject("no"); }`

func TestGenerate(t *testing.T) {
	m := mustBind(t, generating, map[string]any{"N": 2, "y": []float64{0, 0}})
	fit := fitOf(12)
	g, err := m.Generate(context.Background(), fit, GenerateOptions{Seed: 3, Jobs: 2})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"lp__", "accept_stat__", "twice", "e"}, g.Draws.Names()); diff != "" {
		t.Error(diff)
	}
	if row := g.Draws.Row(1, 4); row[0] != -1 || row[2] != 13 {
		t.Errorf("row %v, want lp__ -1, twice 13", row)
	}
	if g.Rejects != 3 || !math.IsNaN(g.Draws.Row(1, 10)[2]) {
		t.Errorf("%d rejects (%v), row %v; want 3 and NaN", g.Rejects, g.Reject, g.Draws.Row(1, 10))
	}
	again, err := m.Generate(context.Background(), fit, GenerateOptions{Seed: 3})
	if err != nil || g.Draws.Row(1, 3)[3] != again.Draws.Row(1, 3)[3] {
		t.Errorf("another number of jobs gives other numbers: %v, %v, %v", g.Draws.Row(1, 3), again.Draws.Row(1, 3), err)
	}
}

func TestGenerateMismatch(t *testing.T) {
	for program, want := range map[string]string{
		"parameters { real tau; }":           "the fit has no parameter tau, which the model has; it has mu, s, derived",
		"parameters { vector[3] s; }":        "the parameter s is not the same: the model has 3 numbers, the fit 2 numbers",
		"parameters { vector[1] s; }":        "the parameter s is not the same: the model has 1 number, the fit 2 numbers",
		"parameters { matrix[2, 1] s; }":     "the parameter s is not the same: the model has 2 x 1 numbers, the fit 2 numbers",
		"parameters { real s; }":             "the parameter s is not the same: the model has a number, the fit 2 numbers",
		"parameters { real<lower=0.5> mu; }": "draw 1 of chain 1: m.ppl:1:30: mu is 0, but must be greater than or equal to 0.5",
	} {
		_, err := mustBind(t, program, nil).Generate(context.Background(), fitOf(2), GenerateOptions{})
		if err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", program, err, want)
		}
	}
}

// The means of y given mu = chain and s[2] = 2, over 4000 data sets of two: the standard
// error is 2/sqrt(8000) = 0.022; five of them.
func TestPredict(t *testing.T) {
	m := mustBind(t, generating, map[string]any{"N": 2, "y": []float64{0, 0}})
	d := draws.New(2, nil, []string{"s.1", "s.2", "mu"})
	for c := range 2 {
		for range 4000 {
			d.Append(draws.Row{Chain: c, Values: []float64{1, 2, float64(c)}})
		}
	}
	y, err := m.Predict(context.Background(), d, GenerateOptions{Seed: 1, Jobs: 2})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"y.1", "y.2"}, y.Columns()); diff != "" {
		t.Fatal(diff)
	}
	for c := range 2 {
		sum := 0.0
		for i := range y.Len(c) {
			sum += y.Row(c, i)[1] + y.Row(c, i)[2]
		}
		if mean := sum / 8000; math.Abs(mean-float64(c)) > 0.11 {
			t.Errorf("mean of y in chain %d: %v", c, mean)
		}
	}
	one, err := m.PredictOne(d, 1, 7, 1)
	if err != nil || one.Drawn.Observations[0].Value.X[1] != y.Row(1, 7)[2] {
		t.Errorf("the data set of one draw is another one: %v, %v", one, err)
	}
}

func TestPriorPredict(t *testing.T) {
	m := mustBind(t, generating, map[string]any{"N": 2, "y": []float64{0, 0}})
	prior, data, err := m.PriorPredict(context.Background(), 200, 5)
	if err != nil {
		t.Fatal(err)
	}
	if prior.Len(0) != 200 || data.Len(0) != 200 || len(prior.Columns()) != len(m.Columns()) {
		t.Errorf("%d and %d draws, columns %v", prior.Len(0), data.Len(0), prior.Columns())
	}
	s, err := m.Simulate(5)
	if err != nil || s.Drawn.Observations[0].Value.X[0] != data.Row(0, 0)[1] {
		t.Errorf("the first data set is not that of Simulate: %v", err)
	}
	row := prior.Row(0, 3)
	if at := prior.Index("twice"); row[at] != 2*row[prior.Index("s.2")]+row[prior.Index("mu")] {
		t.Errorf("quantities do not belong to the parameters: %v", row)
	}
}

func TestGenerateInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	m := mustBind(t, generating, map[string]any{"N": 2, "y": []float64{0, 0}})
	if _, err := m.Generate(ctx, fitOf(3), GenerateOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want that of the context", err)
	}
}

func TestWholeNumbers(t *testing.T) {
	m := mustBind(t, `generated quantities { array[2] int k = {1, 2}; real x = 1; }`, nil)
	for name, want := range map[string]bool{"k": true, "x": false, "nothing": false} {
		if got := m.Program.WholeNumbers(name); got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}
