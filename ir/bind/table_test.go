package bind_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-12b88e03/ppl/ir/bind"
	"github.com/seed-12b88e03/ppl/ir/bind/bindtest"
	"github.com/seed-12b88e03/ppl/ir/data"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// Sizes that follow from a table, and those that do not.
func TestImpliedSizes(t *testing.T) {
	const rows = "g,h,x.1,x.2,y\nb,1,1,2,3\na,3,4,5,6\nb,2,7,8,9\n"
	for _, c := range []struct {
		name, declared string
		sizes          map[string]float64
	}{
		{"rows and columns", "int N; int K; matrix[N, K] x;", map[string]float64{"N": 3, "K": 2}},
		{"one size for two", "int N; vector[N] y; array[N] int h;", map[string]float64{"N": 3}},
		{"levels", "int N; int J; array[N] int<lower=1, upper=J> g;", map[string]float64{"N": 3, "J": 2}},
		{"levels without a lower bound", "int N; int J; array[N] int<upper=J> g;", map[string]float64{"N": 3, "J": 2}},
		{"no size of numbers", "int N; int J; array[N] int<lower=1, upper=J> h;", map[string]float64{"N": 3}},
		{"no size by an expression", "int N; vector[N - 1] y;", map[string]float64{}},
		{"no size of a real", "real s; array[3] real<upper=s> y;", map[string]float64{}},
	} {
		path := filepath.Join(t.TempDir(), "t.csv")
		if err := os.WriteFile(path, []byte(rows), 0o600); err != nil {
			t.Fatal(err)
		}
		prog, err := bindtest.Compile("t.stan", "data { "+c.declared+" } model { }", "", stdlib.New())
		if err != nil {
			t.Fatal(err)
		}
		in, err := data.ReadFiles(path, func(name string) bool {
			for _, v := range prog.Data {
				if v.Name == name {
					return true
				}
			}
			return false
		})
		if err != nil {
			t.Fatal(err)
		}
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
