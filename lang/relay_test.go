package lang

import (
	"bytes"
	"context"
	"encoding/gob"
	"encoding/json"
	"testing"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/infer/infertest"
)

// elsewhere moves chains in a model of its own, with nothing of the run but what goes through bytes.
type elsewhere struct {
	t      *testing.T
	model  *Model
	expr   string
	seed   uint64
	passes int
}

func (e *elsewhere) Advance(ctx context.Context, legs []infer.Leg, arrived func(int, *infer.Passage) error) error {
	e.passes++
	for i, leg := range legs {
		var text bytes.Buffer
		var there infer.Leg
		if err := gob.NewEncoder(&text).Encode(leg); err != nil {
			return err
		}
		if err := gob.NewDecoder(&text).Decode(&there); err != nil {
			return err
		}
		method, err := e.model.Program.Method(e.expr)
		if err != nil {
			return err
		}
		fit, err := e.model.Run(ctx, method, RunOptions{Seed: e.seed, Leg: &there})
		if err != nil {
			return err
		}
		if err := arrived(i, fit.Posterior.Passage); err != nil {
			return err
		}
	}
	return nil
}

// Fits whose chains move elsewhere are those that are made here, with all that is said of them.
func TestChainsElsewhere(t *testing.T) {
	schools := map[string]any{"J": 8, "y": []any{28., 8., -3., 7., -1., 1., 18., 12.}, "sigma": []any{15., 10., 16., 11., 9., 11., 10., 18.}}
	const eight = `
data { int J; vector[J] y; vector[J] sigma; }
parameters { real mu; real<lower=0> tau; vector[J] theta; }
model { mu ~ normal(0, 5); tau ~ cauchy(0, 5); theta ~ normal(mu, tau); y ~ normal(theta, sigma); }
generated quantities { real r = normal_rng(mu, 1); if (tau > 12) reject("tau is ", tau); }`
	const rejects = `
parameters { real x; real y; }
model { if (x > 0.5) reject("x is ", x); y ~ normal(0, 1); x ~ normal(0, 1); }`
	const discrete = `
data { int J; vector[J] y; vector[J] sigma; }
parameters { real mu; int<lower=0, upper=3> k; }
model { mu ~ normal(0, 5); k ~ binomial(3, 0.4); y ~ normal(mu + k, sigma); }`
	for name, one := range map[string]struct {
		text, expr string
		given      map[string]any
	}{
		"centring":  {eight, `nuts()`, schools},
		"fixed":     {eight, `hmc(warmup = 200, draws = 100, thin = 2)`, schools},
		"rejection": {rejects, `nuts(warmup = 200, draws = 100)`, nil},
		"discrete":  {discrete, `gibbs()`, schools},
		"mh":        {discrete, `mh(warmup = 300)`, schools},
		"nothing":   {`data { int J; } generated quantities { real r = normal_rng(0, J); }`, `nuts(warmup = 5, draws = 20)`, schools},
	} {
		t.Run(name, func(t *testing.T) {
			m := mustBind(t, one.text, one.given)
			method, err := m.Program.Method(one.expr)
			if err != nil {
				t.Fatal(err)
			}
			there := &elsewhere{t: t, model: mustBind(t, one.text, one.given), expr: one.expr, seed: 9}
			want, err := m.Run(t.Context(), method, RunOptions{Seed: 9})
			if err != nil {
				t.Fatal(err)
			}
			got, err := m.Run(t.Context(), method, RunOptions{Seed: 9, Relay: there})
			if err != nil {
				t.Fatal(err)
			}
			infertest.SameRun(t, name, got.Posterior, want.Posterior)
			if a, b := said(t, got), said(t, want); a != b {
				t.Errorf("what is said of the fit is not the same:\n%s\n%s", a, b)
			}
			if there.passes == 0 || name == "centring" && there.passes < 4 {
				t.Errorf("%d passes", there.passes)
			}
			if name == "rejection" && len(want.Posterior.Rejected) == 0 || name == "centring" && (want.Posterior.Chains[0].QuantityErrors == 0 || len(want.Posterior.Stopping.Centring) == 0) {
				t.Error("the fit has nothing of what it is to have")
			}
		})
	}
}

// said is what a fit says of itself.
func said(t *testing.T, f *Fit) string {
	t.Helper()
	var r draws.Run
	f.Record(&r)
	text, err := json.Marshal(map[string]any{"run": r, "findings": f.Findings, "summaries": f.Summaries})
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// A method that stands in another one runs where the other does, and a leg of another run is refused.
func TestWhatDoesNotDivide(t *testing.T) {
	m := mustBind(t, `parameters { real x; } model { x ~ normal(0, 1); }`, nil)
	for expr, want := range map[string]bool{"nuts()": true, "sgld()": true, "walnuts()": true, "advi()": false, "laplace()": false, "ais(nuts())": false, "bridge(nuts())": false} {
		method, err := m.Program.Method(expr)
		if err != nil {
			t.Fatal(err)
		}
		if got := method.Divides(); got != want {
			t.Errorf("%s divides: %v", expr, got)
		}
	}
	method, _ := m.Program.Method("nuts(chains = 2)")
	for _, leg := range []*infer.Leg{{Chain: 2, From: &infer.Checkpoint{}}, {Chain: -1, From: &infer.Checkpoint{}}, {}, {Draws: 3, Warm: true, From: &infer.Checkpoint{Done: 3}}} {
		if _, err := m.Run(t.Context(), method, RunOptions{Leg: leg}); err == nil {
			t.Errorf("%+v was taken", leg)
		}
	}
}

// spoiling changes what comes back.
type spoiling struct {
	elsewhere
	spoil func(*infer.Passage)
}

func (s *spoiling) Advance(ctx context.Context, legs []infer.Leg, arrived func(int, *infer.Passage) error) error {
	return s.elsewhere.Advance(ctx, legs, func(leg int, p *infer.Passage) error {
		s.spoil(p)
		return arrived(leg, p)
	})
}

// What comes back as something else than the leg of the chain is an error, and no fit.
func TestSpoiltChains(t *testing.T) {
	const text = `parameters { vector[2] x; } model { x ~ normal(0, 1); }`
	const expr = `nuts(warmup = 30, draws = 20, chains = 2)`
	m := mustBind(t, text, nil)
	method, err := m.Program.Method(expr)
	if err != nil {
		t.Fatal(err)
	}
	for name, spoil := range map[string]func(*infer.Passage){
		"nothing":      func(p *infer.Passage) { p.At = nil },
		"fewer rows":   func(p *infer.Passage) { p.Rows = p.Rows[:7] },
		"no rows":      func(p *infer.Passage) { p.Rows = nil },
		"more rows":    func(p *infer.Passage) { p.At.Rows = 3 },
		"other size":   func(p *infer.Passage) { p.At.State.Q = []float64{1} },
		"other tuning": func(p *infer.Passage) { p.At.Tuning = nil },
		"other stream": func(p *infer.Passage) { p.At.Stream = []byte("x") },
		"too far":      func(p *infer.Passage) { p.At.Done = 1000 },
		"back":         func(p *infer.Passage) { p.At.Done = -1 },
	} {
		there := &spoiling{elsewhere{t: t, model: m, expr: expr, seed: 9}, spoil}
		fit, err := m.Run(t.Context(), method, RunOptions{Seed: 9, Relay: there})
		if err == nil || fit != nil {
			t.Errorf("%s: a fit came of it, %v", name, err)
		}
	}
	there := &spoiling{elsewhere{t: t, model: m, expr: expr, seed: 9}, func(*infer.Passage) {}}
	if _, err := m.Run(t.Context(), method, RunOptions{Seed: 9, Relay: there}); err != nil {
		t.Error(err)
	}
}
