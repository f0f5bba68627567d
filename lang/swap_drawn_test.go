package lang_test

// This file tests new priors that are known by draws alone.

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/diagnose"
	"github.com/seed-12b88e03/ppl/lang"
)

const drawnProgram = `data { int N; vector[N] y; }
parameters { real mu; real b; real<lower=0> s; }
model { mu ~ normal(0, 1); b ~ normal(mu, 1); s ~ exponential(1); y ~ normal(mu + b, 1); }`

// writeDraws writes n draws of a column about 0.5 with sd 0.5 that have exactly these moments.
func writeDraws(t *testing.T, name string, n int, scale float64) string {
	t.Helper()
	r := rand.New(rand.NewPCG(3, 3))
	x := make([]float64, n)
	var mean, square float64
	for i := range x {
		x[i] = r.NormFloat64()
		mean += x[i] / float64(n)
	}
	for i := range x {
		square += (x[i] - mean) * (x[i] - mean) / float64(n)
	}
	var text strings.Builder
	fmt.Fprintln(&text, name)
	for i := range x {
		fmt.Fprintln(&text, scale*(0.5+0.5*(x[i]-mean)/math.Sqrt(square)))
	}
	path := filepath.Join(t.TempDir(), "prior.csv")
	if err := os.WriteFile(path, []byte(text.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// runDrawn fits the program with y = 2.5, 3.1, 2.2 and swaps the prior of mu.
func runDrawn(t *testing.T, priors string) (*lang.Fit, error) {
	t.Helper()
	p, err := lang.Compile("m.ppl", drawnProgram, lang.Options{})
	if err != nil {
		t.Fatal(err)
	}
	in, err := lang.Data(map[string]any{"N": 3, "y": []float64{2.5, 3.1, 2.2}})
	if err != nil {
		t.Fatal(err)
	}
	m, err := p.Bind(in, lang.BindOptions{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	method, err := p.Method(`prior_swap(nuts(chains = 4, draws = 500, warmup = 300), with = nuts(draws = 500, warmup = 300)) { ` + priors + ` }`)
	if err != nil {
		t.Fatal(err)
	}
	return m.Run(context.Background(), method, lang.RunOptions{Seed: 1})
}

// TestDrawnPrior: all is normal. With mu of precision 1/u and sum of observations 7.8 the posterior of mu and b has the precision
// (1/u + 4, 2; 2, 4) and the linear part (m/u + 7.8, 7.8). u is the draws' variance and the kernel's, h^2 times that of mu's first
// posterior, 4/16, with h = 2000^(-1/5); the first factor is wider by as much, which is within the tolerance: 4 errors
// of a mean from 2000 draws, and of an sd. s stays exponential.
func TestDrawnPrior(t *testing.T) {
	fit, err := runDrawn(t, fmt.Sprintf("mu ~ draws(%q);", writeDraws(t, "mu", 2000, 1)))
	if err != nil {
		t.Fatal(lang.ErrorText(err))
	}
	h := math.Pow(2000, -1.0/5)
	u := 0.25 + h*h*0.25
	a := 1/u + 4
	det := a*4 - 4
	mean := map[string]float64{"mu": ((0.5/u+7.8)*4 - 2*7.8) / det, "b": (a*7.8 - 2*(0.5/u+7.8)) / det, "s": 1}
	sd := map[string]float64{"mu": math.Sqrt(4 / det), "b": math.Sqrt(a / det), "s": 1}
	for _, s := range fit.Summaries {
		if want, ok := mean[s.Name]; ok {
			if math.Abs(s.Mean-want) > 4*sd[s.Name]*math.Sqrt(3.0/2000) {
				t.Errorf("mean of %s is %v, want %v", s.Name, s.Mean, want)
			}
			if math.Abs(s.SD/sd[s.Name]-1) > 4*math.Sqrt(3.0/4000) {
				t.Errorf("sd of %s is %v, want %v", s.Name, s.SD, sd[s.Name])
			}
		}
	}
	found := false
	for _, f := range fit.Findings {
		found = found || strings.Contains(f.Meaning, "known by draws")
	}
	if !found {
		t.Errorf("no finding says what the draws of the prior make of the answer: %+v; %+v", fit.Findings, fit.Posterior.Swap)
	}
}

// TestDrawnPriorFar: draws that hardly overlap with the posterior's are no good.
func TestDrawnPriorFar(t *testing.T) {
	fit, err := runDrawn(t, fmt.Sprintf("mu ~ draws(%q);", writeDraws(t, "mu", 2000, -20)))
	if err != nil {
		t.Fatal(lang.ErrorText(err))
	}
	for _, f := range fit.Findings {
		if f.Name == "prior_swap" && f.Severity == diagnose.Good {
			t.Errorf("good: %s", f.Meaning)
		}
	}
}

// TestDrawnPriorErrors: files that are no draws of the parameter.
func TestDrawnPriorErrors(t *testing.T) {
	for _, c := range []struct{ priors, want string }{
		{fmt.Sprintf("mu ~ draws(%q);", writeDraws(t, "nu", 200, 1)), "lacks a column: mu"},
		{fmt.Sprintf("mu ~ draws(%q);", writeDraws(t, "mu", 20, 1)), "has 20 draws"},
		{fmt.Sprintf("s ~ draws(%q);", writeDraws(t, "s", 200, -1)), "must be greater than or equal to 0"},
		{`mu ~ draws("nowhere.csv");`, "nowhere.csv"},
	} {
		_, err := runDrawn(t, c.priors)
		if err == nil || !strings.Contains(lang.ErrorText(err), c.want) {
			t.Errorf("%s: %v, want %q", c.priors, err, c.want)
		}
	}
}
