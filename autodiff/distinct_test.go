// Operations on vectors of constants, whose numbers repeat or do not.

package autodiff_test

import (
	"math"
	"testing"

	"github.com/seed-12b88e03/ppl/autodiff"
)

// TestConstantsUsedTwice: an operation that looks for numbers that repeat, and finds none, leaves the constants to what follows it as they are.
func TestConstantsUsedTwice(t *testing.T) {
	greater := &autodiff.Op{Name: "greater", F2: math.Max, D2: func(x, y, _ float64) (float64, float64) {
		if x > y {
			return 1, 0
		}
		return 0, 1
	}}
	for name, period := range map[string]int{"all differ": 64, "each twice": 32, "few": 4} {
		x := make([]float64, 64)
		for i := range x {
			x[i] = float64(i%period) / 8
		}
		g := autodiff.NewGraph(2)
		c, a, b := g.Const(x), g.Elem(g.Input(), 0), g.Elem(g.Input(), 1)
		first := g.Map(greater, len(x), c, a)
		second := g.Map(autodiff.Exp, len(x), g.Map(autodiff.Sub, len(x), b, c))
		third := g.Map(greater, len(x), c, b)
		roots := []autodiff.Node{g.Sum(g.Map(autodiff.Mul, len(x), first, second)), g.Sum(third)}
		m := autodiff.Compile(g, roots, nil).NewMachine()
		at := []float64{1.3, 0.4}
		if err := m.Run(at); err != nil {
			t.Fatal(err)
		}
		var want, other float64
		for _, v := range x {
			want += math.Max(v, at[0]) * math.Exp(at[1]-v)
			other += math.Max(v, at[1])
		}
		if got := m.Root(0)[0]; math.Abs(got-want) > 1e-13*want {
			t.Errorf("%s: sum %v, want %v", name, got, want)
		}
		if got := m.Root(1)[0]; math.Abs(got-other) > 1e-13*other {
			t.Errorf("%s: sum of the greater %v, want %v", name, got, other)
		}
	}
}
