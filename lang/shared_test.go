package lang

// This file tests that bindings run once, and what runs say of methods they cannot take.

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/infer"
)

// counting counts runs.
type counting struct{ runs *int }

func (c counting) Name() string { return "counting" }

func (c counting) Run(context.Context, infer.Model, infer.Options) (*infer.Posterior, error) {
	*c.runs++
	return &infer.Posterior{}, nil
}

func TestBindingsRunOnce(t *testing.T) {
	p, err := Compile("m.ppl", `
parameters { real mu; }
model { mu ~ normal(0, 1); }
inference {
  a = nuts(draws = 200, warmup = 200, chains = 1, seed = 8);
  b = bridge(a);
  c = a;
}`, Options{})
	if err != nil {
		t.Fatal(ErrorText(err))
	}
	ms, err := p.Methods()
	if err != nil {
		t.Fatal(err)
	}
	if ms[2].Name() != "c" || ms[0].Name() != "a" {
		t.Errorf("names %s, %s", ms[0].Name(), ms[2].Name())
	}
	s, n := Share(ms), 0
	for _, m := range ms {
		c := m.checked
		if c.Inner != nil {
			c = c.Inner
		}
		for range 2 {
			if _, err := s.wrap(c, counting{&n}).Run(context.Background(), nil, infer.Options{}); err != nil {
				t.Fatal(err)
			}
		}
	}
	if n != 1 {
		t.Errorf("the binding a ran %d times", n)
	}
	// An option set on a binding counts where it is used, too.
	if err := ms[0].Set("draws", "100"); err != nil || ms[1].checked.Inner.Int("draws") != 100 {
		t.Errorf("draws inside: %d, %v", ms[1].checked.Inner.Int("draws"), err)
	}
	if err := ms[1].Set("draws", "50"); err != nil || ms[0].checked.Int("draws") != 50 {
		t.Errorf("draws: %d, %v", ms[0].checked.Int("draws"), err)
	}
	ms[1].DropSeeds()
	if _, ok := ms[0].Seed(); ok {
		t.Error("the seed is still there")
	}
}

// The draws of bridge(a) are those of a, its evidence is the model's: 0.
func TestSharedPosterior(t *testing.T) {
	m := mustBind(t, "parameters { real mu; } model { mu ~ normal(0, 1); }", nil)
	p, err := Compile("m.ppl", `parameters { real mu; } model { mu ~ normal(0, 1); }
inference { a = nuts(draws = 500, chains = 2); b = bridge(a); }`, Options{})
	if err != nil {
		t.Fatal(err)
	}
	ms, err := p.Methods()
	if err != nil {
		t.Fatal(err)
	}
	o := RunOptions{Seed: 3, Shared: Share(ms)}
	var fits []*Fit
	for _, method := range ms {
		fit, err := m.Run(context.Background(), method, o)
		if err != nil {
			t.Fatal(ErrorText(err))
		}
		fits = append(fits, fit)
		o.Seed++ // the run that is shared has its own
	}
	a, b := fits[0].Posterior, fits[1].Posterior
	if a.LogEvidence != nil || b.LogEvidence == nil || math.Abs(b.LogEvidence.Value) > 5*b.LogEvidence.Error+1e-12 {
		t.Errorf("evidence %v and %v", a.LogEvidence, b.LogEvidence)
	}
	if a.Draws != b.Draws {
		t.Error("the binding ran twice")
	}
}

func TestMethodErrors(t *testing.T) {
	p, err := Compile("m.ppl", "parameters { real mu; }\nmodel { target += -mu^2; }\ninference {\n  a = bridge(smc());\n}", Options{})
	if err != nil {
		t.Fatal(ErrorText(err))
	}
	m, err := p.Bind(nil, BindOptions{})
	if err != nil {
		t.Fatal(err)
	}
	ms, err := p.Methods()
	if err != nil {
		t.Fatal(err)
	}
	var placed *MethodError
	for _, err := range []error{m.Supports(ms[0]), func() error { _, err := m.Run(context.Background(), ms[0], RunOptions{}); return err }()} {
		if !errors.As(err, &placed) || placed.Problem.Span.Position().Line != 4 || placed.Problem.Span.Position().Column != 14 {
			t.Errorf("found %v", err)
		}
		var missing *infer.MissingError
		if !errors.As(err, &missing) || !strings.HasPrefix(placed.Problem.Message, "smc needs a proper prior") {
			t.Errorf("found %v", err)
		}
	}
	// What returns draws by the table and is in no package, is refused with its place.
	for _, r := range Methods().Rows {
		if r.Wrapper || r.Diagnose || (&builder{}).all()[r.Name] != nil {
			continue
		}
		method, err := p.Method(r.Name + "()")
		if err != nil {
			t.Fatal(ErrorText(err))
		}
		if err := method.Runnable(); !errors.As(err, &placed) || placed.Problem.Code != "method-not-available" {
			t.Errorf("%s: %v", r.Name, err)
		}
	}
}

// Every builder is of a method of the table.
func TestBuilders(t *testing.T) {
	ms := Methods()
	for name := range (&builder{}).all() {
		if ms.Row(name) == nil {
			t.Errorf("%s is not in the table", name)
		}
	}
}

// The prior normal(0, 1) cut at 0 has to be doubled: then log p(y) of a model without
// data is 0, and the evidence lower bound a little below.
func TestEvidenceCountsAllConstants(t *testing.T) {
	m := mustBind(t, "parameters { real<lower=0> s; } model { s ~ normal(0, 1); }", nil)
	for _, expr := range []string{"bridge(nuts(chains = 2))", "bridge(smc(hmc()))", "smc()", "ais(hmc())", "ais(laplace(), chains = 200)"} {
		method, err := m.Program.Method(expr)
		if err != nil {
			t.Fatal(ErrorText(err))
		}
		fit, err := m.Run(context.Background(), method, RunOptions{Seed: 2, Jobs: 2})
		if err != nil {
			t.Fatal(ErrorText(err))
		}
		e := fit.Posterior.LogEvidence
		if e == nil || !(math.Abs(e.Value) <= 5*e.Error+1e-12) || e.Error > 0.1 {
			t.Errorf("%s: log p(y) %+v, want 0", expr, e)
		}
		if f := fit.Posterior.Fit; f != nil && !(f.ELBO.Value < 0 && f.ELBO.Value > -0.3) {
			t.Errorf("%s: evidence lower bound %+v", expr, f.ELBO)
		}
	}
}
