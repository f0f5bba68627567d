package bind_test

// This file checks assignments into variables without elements: any size goes there.

import (
	"math"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/ir/bind"
	"github.com/seed-12b88e03/ppl/ir/bind/bindtest"
	"github.com/seed-12b88e03/ppl/ir/data"
	"github.com/seed-12b88e03/ppl/stdlib"
)

func TestEmptyVariables(t *testing.T) {
	for _, c := range []struct{ declared, assigned, number string }{
		{"vector[0]", "[1, 2]'", "v[2]"}, {"row_vector[0]", "[1, 2]", "v[2]"}, {"array[0] real", "{1.0, 2.0}", "v[2]"},
		{"matrix[0, 0]", "[[1, 0], [0, 2]]", "v[2, 2]"}, {"matrix[0, 3]", "[[1], [2]]", "v[2, 1]"}, {"matrix[3, 0]", "[[0, 2]]", "v[1, 2]"},
		{"array[0, 2] int", "{{1, 2, 3}}", "v[1, 2]"}, {"array[2, 0] real", "{{1.0, 2.0}, {3.0, 4.0}}", "v[1, 2]"},
		{"array[0] vector[2]", "{[1, 2, 3]'}", "v[1, 2]"}, {"array[1] vector[0]", "{[1, 2]'}", "v[1, 2]"}, {"array[0] matrix[1, 1]", "{[[1, 2]]}", "v[1, 1, 2]"},
		{"array[0] tuple(int, vector[1])", "{(1, [0]'), (3, [1, 2]')}", "v[2].2[2]"}, {"tuple(int, vector[0])", "(3, [1, 2]')", "v.2[2]"},
		{"tuple(array[0] tuple(int, int), real)", "({(1, 2)}, 0.5)", "v.1[1].2"}, {"array[1] tuple(real, matrix[0, 0])", "{(1.0, [[1, 2]])}", "v[1].2[1, 2]"},
	} {
		for _, text := range []string{
			"transformed data { " + c.declared + " v; v = " + c.assigned + "; } parameters { real x; } model { x ~ normal(NUMBER, 1); }",
			"parameters { real x; } model { " + c.declared + " v; v = " + c.assigned + "; x ~ normal(NUMBER, 1); }",
			"parameters { real x; } model { " + c.declared + " v = " + c.assigned + "; x ~ normal(NUMBER, 1); }",
			"parameters { real x; } model { real s = 0; for (i in 1:20) { " + c.declared + " v; v = " + c.assigned + "; s += NUMBER / 20.0; } x ~ normal(s, 1); }",
		} {
			m := bound(t, strings.ReplaceAll(text, "NUMBER", c.number), "{}")
			lp, err := m.NewEvaluator().LogDensity([]float64{0.5})
			if err != nil || !(math.Abs(lp+0.5*1.5*1.5) < 1e-12 || math.Abs(lp+0.5*1.5*1.5+0.5*math.Log(2*math.Pi)) < 1e-12) {
				t.Errorf("%s\nlog density %v, %v", text, lp, err)
			}
		}
	}
}

// TestSizesStay has assignments that must stop: into what has elements, or is written out.
func TestSizesStay(t *testing.T) {
	for _, text := range []string{
		"transformed data { vector[1] v; v = [1, 2]'; }", "transformed data { matrix[2, 1] v; v = [[1, 2]]; }",
		"transformed data { array[2, 0] real v; v = {{1.0}}; }", "transformed data { array[1] vector[2] v; v = {[1]'}; }",
		"transformed data { vector[1] v = [1, 2]'; }", "transformed data { tuple(int, vector[1]) v; v = (1, [1, 2]'); }",
		"transformed data { array[1] tuple(int, vector[0]) v; v = {(1, [0]'), (2, [0]')}; }", "transformed data { tuple(int, vector[1]) v = (1, [1, 2]'); }",
	} {
		lib := stdlib.New()
		p, err := bindtest.Compile("test.stan", text, ".", lib)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := bind.Bind(p, lib, &data.Set{}, bind.Options{Seed: 1}); err == nil || !strings.Contains(err.Error(), "cannot hold") {
			t.Errorf("%s\nerror %v", text, err)
		}
	}
	m := bound(t, "parameters { real x; } model { x ~ normal(0, 1); } generated quantities { vector[0] v; v = [x, x]'; }", "{}")
	if err := m.NewEvaluator().Write([]float64{1}, nil, make([]float64, len(m.Columns()))); err == nil || !strings.Contains(err.Error(), "cannot hold") {
		t.Errorf("a quantity without elements: error %v", err)
	}
}

// A size that a type does not have is told with the parameter's name.
func TestImpossibleSizes(t *testing.T) {
	for declared, want := range map[string]string{
		"simplex[0] s":                         "s has size 0",
		"array[2] cholesky_factor_cov[1, 2] K": "K has size 1 by 2",
		"tuple(real, sum_to_zero_vector[0]) u": "u has size 0",
	} {
		lib := stdlib.New()
		p, err := bindtest.Compile("test.stan", "parameters { "+declared+"; } model {}", ".", lib)
		if err != nil {
			t.Fatal(err)
		}
		if _, err = bind.Bind(p, lib, &data.Set{}, bind.Options{Seed: 1}); err == nil || !strings.Contains(err.Error(), ": "+want) {
			t.Errorf("%s: %v", declared, err)
		}
	}
}
