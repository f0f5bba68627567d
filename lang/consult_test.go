package lang

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/seed-12b88e03/ppl/diagnose"
	"github.com/seed-12b88e03/ppl/infer/infertest/subset"
)

// consulted consults about a method with default budget unless given.
func consulted(t *testing.T, text, method string, budget time.Duration, data map[string]any) (*Consultation, *diagnose.Verdict) {
	t.Helper()
	m := boundTo(t, text, data)
	method1, err := m.Program.Method(method)
	if err != nil {
		t.Fatal(err)
	}
	c, v, err := m.Consult(t.Context(), method1, ConsultOptions{Budget: budget, RunOptions: RunOptions{Seed: 2, Jobs: 2}})
	if err != nil {
		t.Fatal(err)
	}
	return c, v
}

func boundTo(t *testing.T, text string, values map[string]any) *Model {
	t.Helper()
	p, err := Compile("m.ppl", text, Options{})
	if err != nil {
		t.Fatal(err)
	}
	in, err := Data(values)
	if err != nil {
		t.Fatal(err)
	}
	m, err := p.Bind(in, BindOptions{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

const (
	consultNormal = `data { int N; vector[N] y; } parameters { real mu; real<lower=0> s; }
model { mu ~ normal(0, 5); s ~ exponential(0.5); y ~ normal(mu, s); }`
	consultModes = `data { vector[2] y; } parameters { real mu; }
model { mu ~ normal(0, 20); y ~ cauchy(mu, 1); }`
	consultFunnel = `data { int J; vector[J] y; } parameters { real mu; real<lower=0> tau; vector[J] theta; }
model { mu ~ normal(0, 5); tau ~ cauchy(0, 5); theta ~ normal(mu, tau); y ~ normal(theta, 10); }`
	consultImproper = `data { vector[3] y; } parameters { real mu; } model { y ~ normal(mu, 1); }`
	consultLabels   = `data { int N; vector[N] y; } parameters { vector[2] mu; }
model { mu ~ normal(0, 5); for (n in 1:N) target += log_mix(0.5, normal_lpdf(y[n] | mu[1], 1), normal_lpdf(y[n] | mu[2], 1)); }`
	consultDiscrete = `data { vector[3] y; } parameters { int<lower=0, upper=1> z; real mu; }
model { z ~ bernoulli(0.4); mu ~ normal(0, 1); y ~ normal(mu + 3 * z, 1); }`
	consultOther = `data { vector[5] y; } parameters { real mu; } model { mu ~ normal(0, 1); y ~ normal(mu, 1); }
simulate { mu = normal_rng(0, 1); for (n in 1:5) y[n] = normal_rng(mu, 4); }`
)

// TestConsultations holds the conclusions about models of which it is known what is right or
// wrong with the answer.
func TestConsultations(t *testing.T) {
	y := []float64{1.2, 0.4, 2.1, 1.7, 0.8, 1.1}
	for name, c := range map[string]struct {
		text, method string
		data         map[string]any
		use, next    string
		says         string
	}{
		"right":             {consultNormal, "nuts()", map[string]any{"N": 6, "y": y}, diagnose.UseYes, "", "may be used"},
		"two modes":         {consultModes, "laplace()", map[string]any{"y": []float64{-15, 15}}, diagnose.UseNo, "smc(nuts())", "has another answer"},
		"data contradict":   {consultNormal, "nuts()", map[string]any{"N": 9, "y": []float64{0, 0, 0, 0.1, 0, -0.1, 0, 0, 900}}, diagnose.UseNo, "", "max of y is 900"},
		"few draws":         {consultNormal, "nuts(warmup = 50, draws = 30)", map[string]any{"N": 6, "y": y}, "", "nuts(", "What helps"},
		"divergences":       {consultFunnel, "nuts(warmup = 1000, draws = 1000)", map[string]any{"J": 8, "y": []float64{28, 8, -3, 7, -1, 1, 18, 12}}, "", "walnuts()", "diverged"},
		"improper prior":    {consultImproper, "nuts()", map[string]any{"y": []float64{1, 2, 0.5}}, "", "", "sbc"},
		"label switching":   {consultLabels, "nuts()", map[string]any{"N": 6, "y": []float64{-3, -3.2, -2.7, 3, 2.8, 3.3}}, diagnose.UseCare, "", "elements of mu"},
		"discrete":          {consultDiscrete, "gibbs()", map[string]any{"y": []float64{2.9, 3.2, 2.5}}, "", "", "may be used"},
		"another simulator": {consultOther, "nuts()", map[string]any{"y": []float64{1, 2, 0.5, 1, 1}}, "", "", "simulate block is another model"},
	} {
		if !subset.Has(name, 2) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			_, v := consulted(t, c.text, c.method, 100*time.Millisecond, c.data)
			f := v.Figures.(diagnose.ConsultationFigures)
			if c.use != "" && f.Use != c.use || !strings.HasPrefix(f.Next, c.next) || !strings.Contains(v.Summary, c.says) {
				t.Errorf("use %q, next %q: %s", f.Use, f.Next, v.Summary)
			}
		})
	}
}

// TestPlanFollowsFromCounts plans within budgets: what is decided does not depend on a clock
// or the number of threads, and grows with the budget.
func TestPlanFollowsFromCounts(t *testing.T) {
	m := boundTo(t, consultNormal, map[string]any{"N": 6, "y": []float64{1.2, 0.4, 2.1, 1.7, 0.8, 1.1}})
	method, err := m.Program.Method("nuts()")
	if err != nil {
		t.Fatal(err)
	}
	planned := func(budget time.Duration, jobs int) (texts []string) {
		c, err := m.NewConsultation(method, ConsultOptions{Budget: budget, RunOptions: RunOptions{Seed: 1, Jobs: jobs}})
		if err == nil {
			err = c.Run(context.Background())
		}
		if err != nil {
			t.Fatal(err)
		}
		list, err := c.Plan()
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range list {
			texts = append(texts, d.String())
		}
		return texts
	}
	last := -1
	for _, budget := range []time.Duration{20 * time.Millisecond, 200 * time.Millisecond, 20 * time.Second} {
		one, many := planned(budget, 1), planned(budget, 3)
		if strings.Join(one, ";") != strings.Join(many, ";") {
			t.Errorf("budget %v: %v with one thread, %v with three", budget, one, many)
		}
		if n := len(strings.Join(one, "")); n < last {
			t.Errorf("budget %v plans less than a smaller one: %v", budget, one)
		} else {
			last = n
		}
	}
}
