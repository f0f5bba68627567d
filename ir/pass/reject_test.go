// What a program rejects it rejects after the passes, for the same reason.

package pass_test

import (
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/ir/bind"
	"github.com/seed-12b88e03/ppl/ir/bind/bindtest"
	"github.com/seed-12b88e03/ppl/ir/data"
	"github.com/seed-12b88e03/ppl/ir/pass"
	"github.com/seed-12b88e03/ppl/stdlib"
)

func TestRejectionsStay(t *testing.T) {
	lib := stdlib.New()
	var all []string
	for _, s := range pass.All() {
		all = append(all, s.Name)
	}
	for name, statements := range map[string]string{
		"an index":                       "for (n in 1 : N) target += b * x[n + 1];",
		"an index in a test":             "for (n in 1 : N) if (n > 1 && x[n - 1] > 0) target += b; else target += x[n - 1] * b;",
		"a scale":                        "for (n in 1 : N) x[n] ~ normal(b, x[n]);",
		"reject":                         "for (n in 1 : N) { target += b * x[n]; if (n == 3) reject(\"three\"); }",
		"fatal_error":                    "for (n in 1 : N) { x[n] ~ normal(b, 1); if (n == 2) fatal_error(\"two\"); }",
		"a division":                     "for (n in 1 : N) target += b * (5 %/% (n - 2));",
		"a size":                         "for (n in 1 : N) { vector[n - 2] v; target += b * x[n]; }",
		"an int that nothing reads":      "for (n in 1 : N) { int k = 5 %/% (n - 2); target += b; }",
		"an int of a nest":               "for (n in 1 : N) { int k = n %/% (n - 3); for (m in 1 : N) x[m] ~ normal(b, 1); }",
		"an int before a loop":           "{ int k; k = N %/% (N - 4); for (n in k : N) x[n] ~ normal(b, 1); }",
		"an index in a loop that counts": "{ int n = 2; while (n <= N + 1) { x[n] ~ normal(b, 1); n += 1; } }",
		"a row of a product":             "for (n in 1 : N) x[n] ~ normal((x * b)[n + 1], 1);",
		"after the loop":                 "for (n in 1 : N) target += b * x[n]; reject(\"always\");",
	} {
		text := "data { int N; vector[N] x; } parameters { real b; } model {\n" + statements + "\n}\n"
		p, err := bindtest.Compile("reject.stan", text, "", lib)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		in, err := data.FromGo(map[string]any{"N": 4, "x": []float64{0.5, -1, 2, 0.1}})
		if err != nil {
			t.Fatal(err)
		}
		var errs [2]error
		for i, off := range [][]string{nil, all} {
			m, err := bind.Bind(p, lib, in, bind.Options{Passes: pass.Options{Off: off}})
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			_, errs[i] = m.NewEvaluator().LogDensityGrad([]float64{0.3}, make([]float64, 1))
		}
		if errs[0] == nil || errs[1] == nil || errs[0].Error() != errs[1].Error() || infer.IsReject(errs[0]) != infer.IsReject(errs[1]) {
			t.Errorf("%s: %v after the passes, %v without", name, errs[0], errs[1])
		}
	}
}

// TestPrintingStays: what a program prints while its density is recorded keeps its order.
func TestPrintingStays(t *testing.T) {
	const text = `data { int N; vector[N] x; } parameters { real b; } model {
  for (n in 1 : N) {
    x[n] ~ normal(b, 1);
    print("a ", n);
    target += b * x[n];
    print("b ", x[n]);
  }
}
`
	lib := stdlib.New()
	p, err := bindtest.Compile("print.stan", text, "", lib)
	if err != nil {
		t.Fatal(err)
	}
	in, err := data.FromGo(map[string]any{"N": 2, "x": []float64{0.5, -1}})
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	m, err := bind.Bind(p, lib, in, bind.Options{Print: func(s string) { lines = append(lines, s) }})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.NewEvaluator().LogDensity([]float64{0.3}); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(lines, ";"); got != "a 1;b 0.5;a 2;b -1" {
		t.Errorf("printed %s", got)
	}
}

func TestSwitches(t *testing.T) {
	lib := stdlib.New()
	p, err := bindtest.Compile("switch.stan", "data { int N; vector[N] x; } parameters { real b; } model { for (n in 1 : N) x[n] ~ normal(b, 1); }", "", lib)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range pass.All() {
		var ran []string
		if _, err := pass.Run(p, lib, pass.Options{Off: []string{s.Name}, After: func(s pass.Pass, _ *ir.Program) error {
			ran = append(ran, s.Name)
			return nil
		}}); err != nil {
			t.Fatal(err)
		}
		for _, name := range ran {
			if name == s.Name {
				t.Errorf("%s ran although it was switched off", name)
			}
		}
	}
	if _, err := pass.Run(p, lib, pass.Options{Off: []string{"nonesuch"}}); err == nil || !strings.Contains(err.Error(), "vectorize") {
		t.Errorf("an unknown pass: %v", err)
	}
}
