package bind_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/ir/bind"
	"github.com/seed-12b88e03/ppl/ir/bind/bindtest"
	"github.com/seed-12b88e03/ppl/ir/data"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// readSet reads a table for a program with these data.
func readSet(t *testing.T, rows, declared string) (*ir.Program, *data.Set) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "t.csv")
	if err := os.WriteFile(path, []byte(rows), 0o600); err != nil {
		t.Fatal(err)
	}
	prog, err := bindtest.Compile("t.stan", "data { "+declared+" } model { }", "", stdlib.New())
	if err != nil {
		t.Fatal(err)
	}
	in, err := data.ReadFiles(path, func(name string) bool {
		return slices.ContainsFunc(prog.Data, func(v *ir.Var) bool { return v.Name == name })
	})
	if err != nil {
		t.Fatal(err)
	}
	return prog, in
}

// readTable is readSet with the sizes that follow.
func readTable(t *testing.T, rows, declared string) *data.Set {
	t.Helper()
	prog, in := readSet(t, rows, declared)
	if err := bind.ImplySizes(prog, in); err != nil {
		t.Fatal(err)
	}
	return in
}

// Sizes that follow from a table, and those that do not.
func TestImpliedSizes(t *testing.T) {
	const rows = "g,h,x.1,x.2,y,away\nb,1,1,2,3,c\na,3,4,5,6,b\nb,2,7,8,9,a\n"
	for _, c := range []struct {
		name, declared string
		sizes          map[string]float64
	}{
		{"rows and columns", "int N; int K; matrix[N, K] x;", map[string]float64{"N": 3, "K": 2}},
		{"one size for two", "int N; vector[N] y; array[N] int h;", map[string]float64{"N": 3}},
		{"levels", "int N; int J; array[N] int<lower=1, upper=J> g;", map[string]float64{"N": 3, "J": 2}},
		{"levels of two columns", "int N; int J; array[N] int<lower=1, upper=J> g; array[N] int<lower=1, upper=J> away;", map[string]float64{"N": 3, "J": 3}},
		{"no size of numbers", "int N; int J; array[N] int<lower=1, upper=J> h;", map[string]float64{"N": 3}},
		{"no size by an expression", "int N; vector[N - 1] y;", map[string]float64{}},
		{"no size of a real", "real s; array[3] real<upper=s> y;", map[string]float64{}},
	} {
		prog, in := readSet(t, rows, c.declared)
		before := map[string]bool{}
		for name := range in.Vars {
			before[name] = true
		}
		if err := bind.ImplySizes(prog, in); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		sizes := map[string]float64{}
		for name, v := range in.Vars {
			if !before[name] {
				sizes[name] = v.X[0]
			}
		}
		if d := cmp.Diff(c.sizes, sizes); d != "" {
			t.Errorf("%s: %s", c.name, d)
		}
	}
}

// Texts that are numbers of one set have one number each, in all columns; the numbers are places in the sorted texts.
func TestTextsOfOneSetShareNumbers(t *testing.T) {
	x := readTable(t, "home,away\nRed,Blue\nBlue,Green\nGreen,Red\n", "int N; int T; array[N] int<lower=1, upper=T> home; array[N] int<lower=1, upper=T> away;")
	for name, want := range map[string][]float64{"home": {3, 1, 2}, "away": {1, 2, 3}} {
		if d := cmp.Diff(want, x.Vars[name].X); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}

// Text is no count, no outcome and no measurement.
func TestTextIsNumberedForIndicesOnly(t *testing.T) {
	for _, declared := range []string{"int<lower=0>", "int<lower=0, upper=1>", "int", "int<upper=3>"} {
		prog, in := readSet(t, "n\nno\nyes\n", "int N; array[N] "+declared+" n;")
		if err := bind.ImplySizes(prog, in); err == nil || !strings.Contains(err.Error(), "numbered where int<lower=1, upper=J> is declared") {
			t.Errorf("%s: %v", declared, err)
		}
	}
}
