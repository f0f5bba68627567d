package bind_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/ir/bind"
)

// TestComparisons: the comparisons that a density makes at a point are told of with side, margin and gradient, as one works them out by
// hand, in the order in which they are met; of loops only some.
func TestComparisons(t *testing.T) {
	type told struct {
		margin float64
		grad   []float64
		holds  bool
	}
	at := []float64{0.5, -2}
	for _, c := range []struct {
		body string
		want []told
	}{
		{"if (a > 2 * b) target += 1;", []told{{4.5, []float64{1, -2}, true}}},
		{"target += (square(a) <= b) ? 1 : 0;", []told{{2.25, []float64{1, -1}, false}}},
		{"if (a < 0 && b < 0) target += 1;", []told{{0.5, []float64{1, 0}, false}}}, // the second one is not met
		{"if (a > 0 && b < 0) target += 1;", []told{{0.5, []float64{1, 0}, true}, {-2, []float64{0, 1}, true}}},
		{"target += step(b - 1) + int_step(exp(a));", []told{{-3, []float64{0, 1}, false}, {math.Exp(0.5), []float64{math.Exp(0.5), 0}, true}}},
		{"target += fmax(a, b) - fmin(3 * a, b);", []told{{2.5, []float64{1, -1}, true}, {3.5, []float64{3, -1}, false}}},
		{"for (i in 1:30) if (a < i) target += 1;", slices.Repeat([]told{{}}, 10)},
		{strings.Repeat("for (i in 1:30) if (a < i) target += 1; ", 6), slices.Repeat([]told{{}}, 40)},
		{"if (above(a, b)) target += 1;", []told{{2.5, []float64{1, -1}, true}}},
	} {
		m := bound(t, "functions { int above(real x, real y) { return x > y; } } parameters { real a; real b; } model { a ~ normal(0, 1); b ~ normal(0, 1); "+c.body+" }", "{}")
		got, err := bind.Comparisons(m)(at)
		if err != nil {
			t.Fatal(err)
		}
		if len(got) != len(c.want) {
			t.Errorf("%s: %d comparisons, want %d", c.body, len(got), len(c.want))
			continue
		}
		for i, w := range c.want {
			if w.grad == nil { // of the loops: an order, and turns that count up
				if g := got[i]; g.Turn != i%10 || g.Margin != 0.5-float64(i%10+1) {
					t.Errorf("%s: comparison %d is turn %d with margin %g", c.body, i, g.Turn, g.Margin)
				}
				continue
			}
			if g := got[i]; math.Abs(g.Margin-w.margin) > 1e-14 || g.Holds != w.holds || math.Abs(g.Grad[0]-w.grad[0])+math.Abs(g.Grad[1]-w.grad[1]) > 1e-14 {
				t.Errorf("%s: comparison %d is %+v, want %+v", c.body, i, g, w)
			}
		}
	}
	if bind.Comparisons(bound(t, "parameters { real a; } model { a ~ normal(0, 1); }", "{}")) != nil {
		t.Error("a program without comparisons has a function that gives them")
	}
	// Of discrete parameters with the least values and with the greatest.
	f := bind.Comparisons(bound(t, "parameters { real a; int<lower=0, upper=2> z; } model { a ~ normal(0, 1); if (a > z) target += 1; }", "{}"))
	if got, err := f([]float64{0.5}); err != nil || len(got) != 2 || got[0].Margin != 0.5 || !got[0].Holds || got[1].Margin != -1.5 || got[1].Turn != 40 || got[1].Grad[0] != 1 {
		t.Errorf("with discrete parameters: %+v, %v", got, err)
	}
	if _, err := f([]float64{0.5, 1}); err == nil {
		t.Error("a point with discrete parameters among its numbers is taken")
	}
}
