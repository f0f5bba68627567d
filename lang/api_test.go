package lang

// This file tests the Go API beyond the examples: points, methods, errors.

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/ir/data"
	"github.com/seed-12b88e03/ppl/ir/eval"
)

func mustBind(t *testing.T, text string, vars map[string]any) *Model {
	t.Helper()
	p, err := Compile("m.ppl", text, Options{})
	if err != nil {
		t.Fatal(ErrorText(err))
	}
	in, err := Data(vars)
	if err != nil {
		t.Fatal(err)
	}
	m, err := p.Bind(in, BindOptions{Seed: 1})
	if err != nil {
		t.Fatal(ErrorText(err))
	}
	return m
}

// The model is sigma ~ exponential(1) on u = log sigma: log density u - exp(u).
func TestModelAtAPoint(t *testing.T) {
	m := mustBind(t, `
data { int K; }
parameters { real<lower=0> sigma; }
transformed parameters { real s2 = K * sigma; }
model { sigma ~ exponential(1); }
generated quantities { real u = uniform_rng(0, 1); }`, map[string]any{"K": 3})
	u := 0.7
	lp, grad, err := m.Gradient([]float64{u})
	if want := u - math.Exp(u); err != nil || math.Abs(lp-want) > 1e-14 || math.Abs(grad[0]-(1-math.Exp(u))) > 1e-14 {
		t.Errorf("log density %v, gradient %v, %v; want %v", lp, grad, err, want)
	}
	if plain, err := m.LogDensity([]float64{u}); err != nil || math.Abs(plain-lp) > 1e-14 {
		t.Errorf("value alone %v, with gradient %v, %v", plain, lp, err)
	}
	if lp, err := m.Density(false, false).LogDensity([]float64{u}); err != nil || math.Abs(lp+math.Exp(u)) > 1e-14 {
		t.Errorf("without Jacobian %v, %v", lp, err)
	}
	row, err := m.Constrain([]float64{u}, 5)
	if err != nil || math.Abs(row[0]-math.Exp(u)) > 1e-14 || math.Abs(row[1]-3*math.Exp(u)) > 1e-13 || !(row[2] > 0 && row[2] < 1) {
		t.Errorf("%v: %v, %v", m.Columns(), row, err)
	}
	again, _ := m.Constrain([]float64{u}, 5)
	if again[2] != row[2] {
		t.Error("the same seed gave other random numbers")
	}
	in, _ := Data(map[string]any{"sigma": math.Exp(u)})
	if q, err := m.Unconstrain(in); err != nil || math.Abs(q[0]-u) > 1e-14 {
		t.Errorf("unconstrained %v, %v", q, err)
	}
	in, _ = Data(map[string]any{"unconstrained": []float64{u}})
	if q, err := m.Point(in); err != nil || q[0] != u {
		t.Errorf("point %v, %v", q, err)
	}
	for _, bad := range []map[string]any{{"unconstrained": []float64{1, 2}}, {"unconstrained": 1.0}, {"sigma": -1.0}, {"other": 1.0}} {
		in, _ := Data(bad)
		if q, err := m.Point(in); err == nil {
			t.Errorf("%v: found %v", bad, q)
		}
	}
	if _, err := m.LogDensity(nil); err == nil {
		t.Error("a point without coordinates was accepted")
	}
}

func TestMethods(t *testing.T) {
	p, err := Compile("m.ppl", `
parameters { real mu; }
model { mu ~ normal(0, 1); }
inference {
  a = nuts(draws = 30, warmup = 20, chains = 1, metric = "dense", step_size = 0.5, seed = 8);
  b = prior_swap(a) { mu ~ normal(0, 2); }
}`, Options{})
	if err != nil {
		t.Fatal(ErrorText(err))
	}
	ms, err := p.Methods()
	if err != nil || len(ms) != 2 {
		t.Fatalf("%v, %v", ms, err)
	}
	const a = `nuts(warmup = 20, draws = 30, chains = 1, thin = 1, init = 2, seed = 8, metric = "dense", step_size = 0.5, max_depth = 10)`
	if got := ms[0].String(); got != a {
		t.Errorf("found %s\nwant  %s", got, a)
	}
	if got := ms[1].String(); !strings.HasPrefix(got, "prior_swap("+a+", ") || !strings.Contains(got, "mu ~ normal(0, 2)") {
		t.Errorf("found %s", got)
	}
	if err := ms[0].Runnable(); err != nil {
		t.Error(err)
	}
	// The text of a method means the same method.
	again, err := p.Method(ms[0].String())
	if err != nil || again.String() != a {
		t.Errorf("%v, %v", again, err)
	}
	byName, err := p.Method("a")
	if err != nil || byName.Name() != "a" || byName.String() != a {
		t.Errorf("%v, %v", byName, err)
	}
	if err := byName.Set("draws", "5"); err != nil || ms[0].String() != a {
		t.Errorf("setting an option of a copy: %v, the first is now %s", err, ms[0])
	}
	for option, value := range map[string]string{"draws": "0", "drws": "5", "metric": "round", "delta": "1"} {
		if byName.Set(option, value) == nil {
			t.Errorf("%s = %s was accepted", option, value)
		}
	}
	if seed, ok := ms[0].Seed(); !ok || seed != 8 {
		t.Errorf("seed %d, %v", seed, ok)
	}
}

func TestRunIsCutShort(t *testing.T) {
	m := mustBind(t, "parameters { real mu; } model { mu ~ normal(0, 1); }", nil)
	method, err := m.Program.Method("nuts()")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	fit, err := m.Run(ctx, method, RunOptions{Seed: 1})
	if err != nil || !fit.Posterior.Incomplete || fit.Summaries != nil {
		t.Errorf("found %+v, %v", fit, err)
	}
}

func TestIncludesAreFound(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		path := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	write("model/m.ppl", "#include own.stan\n#include other.stan\nmodel { mu ~ normal(0, 1); }")
	write("model/own.stan", "functions { real f(real x) { return x; } }")
	write("lib/other.stan", "parameters { real mu; }")
	path := filepath.Join(dir, "model/m.ppl")
	if _, err := CompileFile(path, Options{Include: []string{filepath.Join(dir, "lib")}}); err != nil {
		t.Error(ErrorText(err))
	}
	if _, err := CompileFile(path, Options{}); err == nil || !strings.Contains(ErrorText(err), "m.ppl:2:") {
		t.Errorf("found %v", err)
	}
}

func TestErrorTexts(t *testing.T) {
	p, err := Compile("m.ppl", "data {\n  real<lower=0> x;\n}\nparameters { real mu; }\nmodel { reject(\"no\"); }", Options{})
	if err != nil {
		t.Fatal(ErrorText(err))
	}
	bind := func(text string) string {
		in, err := data.ReadBytes([]byte(text), "d.json", p.WantsData)
		if err != nil {
			t.Fatal(err)
		}
		m, err := p.Bind(in, BindOptions{})
		if err != nil {
			return ErrorText(err)
		}
		method, err := p.Method("nuts(chains = 1)")
		if err != nil {
			t.Fatal(err)
		}
		_, err = m.Run(context.Background(), method, RunOptions{Seed: 1})
		return ErrorText(err)
	}
	for text, want := range map[string][]string{
		`{"x": -1}`:  {"m.ppl:2:17: error: x is -1", "[data-constraint]\n", "\n  note: d.json:1:7: the value of x\n    {\"x\": -1}\n          ^\n"},
		`{"x": [1]}`: {"d.json:1:7: error: x: the program declares real, found an array of 1 number [data-size]\n", "  note: m.ppl:2:17: declared here\n"},
		`{}`:         {"d.json: error: x: the program declares real, and the data do not have it; they are empty [data-missing]\n"},
		`{"x": 1}`:   {"m.ppl:5:9: error: no [rejected]\n", "  note: chain 1 found no initial point in 100 tries", "the last try failed here\n", "  help: every try failed with these very words"},
	} {
		got := bind(text)
		for _, w := range want {
			if !strings.Contains(got, w) {
				t.Errorf("%s: %q is not in\n%s", text, w, got)
			}
		}
	}
	cause := &eval.Error{Text: "no", Reject: true}
	given := RunProblem(&infer.InitError{Tries: 1, Last: cause}, cause)
	if want := "chain 1 cannot start at its initial point"; len(given.Notes) != 1 || given.Notes[0].Message != want {
		t.Errorf("notes %v, want one: %s", given.Notes, want)
	}
	if got := ErrorText(errors.New("plain")); got != "error: plain\n" {
		t.Errorf("found %q", got)
	}
}

// TestHugeSizes holds that sizes beyond any memory are errors of the program.
func TestHugeSizes(t *testing.T) {
	for _, text := range []string{
		"data { int N; }\ntransformed data { array[N, N] real y; }\nmodel {}\n",
		"data { int N; }\nparameters { matrix[N, N] y; }\nmodel {}\n",
	} {
		p, err := Compile("m.ppl", text, Options{})
		if err != nil {
			t.Fatal(err)
		}
		in, err := Data(map[string]any{"N": 1000000})
		if err != nil {
			t.Fatal(err)
		}
		_, err = p.Bind(in, BindOptions{})
		if got := ErrorText(err); !strings.Contains(got, "m.ppl:2:") || !strings.Contains(got, "y would hold 1e+12 numbers") {
			t.Errorf("found %q", got)
		}
	}
}

// TestOldSolversTakeRealSteps holds the spelling of the published predator-prey model,
// whose number of steps is 5e2.
func TestOldSolversTakeRealSteps(t *testing.T) {
	const text = `functions {
  array[] real rhs(real t, array[] real z, array[] real theta, array[] real x_r, array[] int x_i) {
    return {-theta[1] * z[1]};
  }
}
parameters { array[1] real<lower=0> theta; }
model {
  theta ~ exponential(1);
  integrate_ode_rk45(rhs, {1.0}, 0, {1.0}, theta, rep_array(0.0, 0), rep_array(0, 0), 1e-5, 1e-3, 5e2)[1, 1] ~ normal(0, 1);
}
`
	mustBind(t, text, nil)
}
