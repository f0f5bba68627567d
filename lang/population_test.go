package lang

// This file tests what a run is that ends while its draws are compared with a population.

import (
	"context"
	"reflect"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/diagnose"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
)

// endsWith cancels a run when its chains are complete.
type endsWith struct {
	infer.Ignore
	left   int
	cancel func()
}

func (o *endsWith) End(int, draws.ChainEnd) error {
	if o.left--; o.left == 0 {
		o.cancel()
	}
	return nil
}

func TestRunEndsDuringTheSearch(t *testing.T) {
	m := mustBind(t, "parameters { real mu; } model { mu ~ normal(0, 1); }", nil)
	for _, text := range []string{"nuts(chains = 1, warmup = 100, draws = 50)", "mh(chains = 1, warmup = 100, draws = 50)"} {
		method, err := m.Program.Method(text)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(context.Background())
		fit, err := m.Run(ctx, method, RunOptions{Seed: 1, Observer: &endsWith{left: 1, cancel: cancel}})
		cancel()
		if err != nil {
			t.Fatal(err)
		}
		if n := fit.Posterior.Draws.Total(); n != 50 || !fit.Posterior.Incomplete {
			t.Errorf("%s: %d draws, incomplete %v; want 50, and that the run is not complete", text, n, fit.Posterior.Incomplete)
		}
		said := false
		for _, f := range fit.Findings {
			said = said || f.Name == "population" && f.Severity == diagnose.None && strings.Contains(f.Meaning, "the run was stopped before")
		}
		if !said {
			t.Errorf("%s: the findings do not say that the search was left out: %v", text, fit.Findings)
		}
	}
}

// TestCheckLevels: quick is what is done where check is not given, and finds a second mode of half the
// mass, at -6, 24 standard deviations away; none looks for nothing; full spends no less.
func TestCheckLevels(t *testing.T) {
	m := mustBind(t, "parameters { real mu; } model { target += log_mix(0.5, normal_lpdf(mu | -6, 0.5), normal_lpdf(mu | 6, 0.5)); }", nil)
	search := func(option string) (*draws.PopulationRun, diagnose.Severity) {
		t.Helper()
		fit, err := runExpr(t, m, "laplace(draws = 200"+option+")")
		if err != nil {
			t.Fatal(ErrorText(err))
		}
		for _, f := range fit.Findings {
			if f.Name == "population" {
				return fit.Posterior.Population, f.Severity
			}
		}
		return fit.Posterior.Population, ""
	}
	usual, severity := search("")
	if usual == nil || severity != diagnose.Bad {
		t.Fatalf("without check: %+v, %q", usual, severity)
	}
	if quick, found := search(`, check = "quick"`); !reflect.DeepEqual(quick, usual) || found != diagnose.Bad {
		t.Errorf("check = quick is not what is done without it: %+v, %q; %+v, %q", quick, found, usual, severity)
	}
	if none, found := search(`, check = "none"`); none != nil || found != "" {
		t.Errorf("check = none looked: %+v, %q", none, found)
	}
	if full, found := search(`, check = "full"`); full == nil || found != diagnose.Bad || full.Evaluations < usual.Evaluations {
		t.Errorf("check = full: %+v, %q; quick took %d evaluations", full, found, usual.Evaluations)
	}
}

// TestSearchLeftOut: beside a few sweeps over very many discrete parameters, which only a search would sum out,
// none is made, and the findings say so; of few it is made.
func TestSearchLeftOut(t *testing.T) {
	const program = `data { int N; } parameters { real<lower=0, upper=1> p; array[N] int<lower=0, upper=1> z; }
model { for (n in 1:N) z[n] ~ bernoulli(p); }`
	for n, left := range map[int]bool{100: false, 60000: true} {
		m := mustBind(t, program, map[string]any{"N": n})
		method, err := m.Program.Method("gibbs(chains = 1, warmup = 0, draws = 5)")
		if err != nil {
			t.Fatal(err)
		}
		fit, err := m.Run(context.Background(), method, RunOptions{Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		r := fit.Posterior.Population
		if r == nil || (r.Failed != "") != left {
			t.Fatalf("%d discrete numbers: %+v; left out: %v", n, r, left)
		}
		for _, f := range fit.Findings {
			if f.Name == "population" && left && (f.Severity != diagnose.None || !strings.Contains(f.Meaning, "have 120000 values")) {
				t.Errorf("%v: %s", f.Severity, f.Meaning)
			}
		}
	}
}

// Where there are no parameters there is nothing to search, and nothing is said of a search.
func TestNoSearchWithoutParameters(t *testing.T) {
	m := mustBind(t, "generated quantities { real z = normal_rng(0, 1); }", nil)
	how, err := m.Program.Method("nuts(warmup = 10, draws = 50)")
	if err != nil {
		t.Fatal(ErrorText(err))
	}
	fit, err := m.Run(t.Context(), how, RunOptions{Seed: 1})
	if err != nil || fit.Posterior.Population != nil {
		t.Errorf("%v, %+v", err, fit.Posterior.Population)
	}
}
