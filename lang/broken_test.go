package lang_test

// This file uses programs that do not compile.

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/ir/data"
	"github.com/seed-12b88e03/ppl/ir/eval"
	"github.com/seed-12b88e03/ppl/lang"
)

// TestBrokenPrograms: every method of a Program answers, or gives the errors of the program,
// whatever stage they are of.
func TestBrokenPrograms(t *testing.T) {
	for _, text := range []string{
		"", "data {", "data { int N }", "data { int N; } model { x ~ normal(0, 1); }", "data { int N; } inference { a = nutz(); }",
		"data { int N; } parameters { real x; } inference { a = prior_swap(nuts()) { y ~ normal(0, 1); }; }",
	} {
		p, err := lang.Compile("broken.ppl", text, lang.Options{})
		var broken *lang.CompileError
		if (text != "") != errors.As(err, &broken) || p == nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		p.Generative()
		p.Lint()
		p.NeedsData()
		p.WantsData("N")
		p.WholeNumbers("N")
		p.Problems()
		_ = p.CheckMethods()
		for what, f := range map[string]func() error{
			"Bind":       func() error { _, err := p.Bind(nil, lang.BindOptions{}); return err },
			"Method":     func() error { _, err := p.Method("nuts()"); return err },
			"Methods":    func() error { _, err := p.Methods(); return err },
			"Diagnosis":  func() error { _, err := p.Diagnosis("sbc(nuts())"); return err },
			"Diagnoses":  func() error { _, err := p.Diagnoses(); return err },
			"MethodOn":   func() error { _, err := p.MethodOn(&lang.Earlier{}, "nuts()"); return err },
			"MethodsOn":  func() error { _, err := p.MethodsOn(&lang.Earlier{}); return err },
			"With":       func() error { _, err := p.With("more", "int k = 1;"); return err },
			"ReadData":   func() error { _, err := p.ReadData(strings.NewReader(`{"N": 1}`), "data"); return err },
			"DataFrom":   func() error { _, err := p.DataFrom(map[string]int{"N": 1}); return err },
			"Expression": func() error { return evaluated(p) },
		} {
			err := f()
			if err != nil && text == "" {
				t.Errorf("%s of an empty program: %v", what, err)
			}
			if err != nil && lang.ErrorText(err) == "" {
				t.Errorf("%s of %q: an error without text", what, text)
			}
		}
	}
}

func evaluated(p *lang.Program) error {
	x, err := p.Expression("expression", "1 + 1")
	if err != nil {
		return err
	}
	_, err = x.Value(context.Background(), &data.Set{}, lang.BindOptions{}, rand.New(rand.NewPCG(1, 1)))
	return err
}

// TestErrors: each error is of the type that the documentation names.
func TestErrors(t *testing.T) {
	must := func(m *lang.Model, err error) *lang.Model {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	bind := func(text string, vars map[string]any) (*lang.Model, error) {
		t.Helper()
		p, err := lang.Compile("model.ppl", text, lang.Options{})
		if err != nil {
			t.Fatal(err)
		}
		in, err := lang.Data(vars)
		if err != nil {
			t.Fatal(err)
		}
		return p.Bind(in, lang.BindOptions{})
	}
	var misfit *lang.DataError
	for _, vars := range []map[string]any{nil, {"N": 1.5}, {"N": -1}, {"N": []int{1}}} {
		if _, err := bind("data { int<lower=0> N; }", vars); !errors.As(err, &misfit) || misfit.Variable != "N" {
			t.Errorf("%v: %v", vars, err)
		}
	}
	var failed *eval.Error
	if _, err := bind("transformed data { array[1] int k = {1}; print(k[2]); }", nil); !errors.As(err, &failed) || errors.As(err, &misfit) {
		t.Errorf("transformed data: %v", err)
	}
	m := must(bind("parameters { real<lower=0> s; } model { if (s > 2) reject(\"large\"); s ~ exponential(1); } generated quantities { if (s < 1) reject(\"small\"); real z = 1; }", nil))
	if _, _, err := m.Gradient([]float64{5}); !infer.IsReject(err) || !errors.As(err, &failed) {
		t.Errorf("a rejection: %v", err)
	}
	if _, err := m.LogDensity(nil); err == nil || infer.IsReject(err) {
		t.Errorf("a point without coordinates: %v", err)
	}
	if x, err := m.Constrain([]float64{-1}, 1); !infer.IsReject(err) || len(x) != 2 || x[0] == 0 {
		t.Errorf("rejected quantities: %v, %v", x, err)
	}
	if _, err := m.UnconstrainRow([]float64{-1}); err == nil || !strings.Contains(err.Error(), "s") {
		t.Errorf("outside of the constraint: %v", err)
	}
	method, err := m.Program.Method("nuts()")
	if err != nil {
		t.Fatal(err)
	}
	before := method.String()
	if err := method.Set("draws", "-1"); err == nil || method.String() != before {
		t.Errorf("a wrong option: %v, %s", err, method)
	}
	if _, err := m.Program.DataFrom(7); err == nil {
		t.Error("a number serves as data")
	}
	if _, err := lang.Data(map[string]any{"y": "text"}); err == nil || !strings.Contains(err.Error(), "y") {
		t.Errorf("a text as a value: %v", err)
	}
	if _, err := lang.ReadFiles(); err == nil {
		t.Error("a fit of no files")
	}
	if _, err := lang.ReadFit(t.TempDir()); err == nil {
		t.Error("a fit of an empty folder")
	}
}
