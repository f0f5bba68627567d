// Safe arguments by their domains.

package stdlib

import "testing"

// TestSafeArguments: what is safe is in the domain, and functions that are finite everywhere need nothing.
func TestSafeArguments(t *testing.T) {
	lib := New()
	for _, c := range []struct {
		name   string
		n      int
		needed []bool                 // by argument; nil for a function that needs nothing
		ok     func(x []float64) bool // that these arguments are in the domain
	}{
		{"sqrt", 1, []bool{true}, func(x []float64) bool { return x[0] > 0 }},
		{"log", 1, []bool{true}, func(x []float64) bool { return x[0] > 0 }},
		{"log1m", 1, []bool{true}, func(x []float64) bool { return x[0] < 1 }},
		{"exp", 1, []bool{true}, func(x []float64) bool { return x[0] < 700 }},
		{"log_diff_exp", 2, []bool{true, true}, func(x []float64) bool { return x[0] > x[1] }},
		{"pow", 2, []bool{true, true}, func(x []float64) bool { return x[0] > 0 }},
		{"tanh", 1, nil, nil},
		{"inv_logit", 1, nil, nil},
		{"normal_lpdf", 3, []bool{false, false, true}, func(x []float64) bool { return x[2] > 0 }},
		{"poisson_lpmf", 2, []bool{true, true}, func(x []float64) bool { return x[1] >= 0 }},
		{"beta_lpdf", 3, []bool{true, true, true}, func(x []float64) bool { return x[0] > 0 && x[0] < 1 && x[1] > 0 && x[2] > 0 }},
	} {
		safe := SafeArguments(lib.Function(c.name), c.n)
		if (safe == nil) != (c.needed == nil) {
			t.Errorf("%s: %v", c.name, safe)
			continue
		}
		var x []float64
		for i, s := range safe {
			if x = append(x, s.X); s.Needed != c.needed[i] {
				t.Errorf("%s: argument %d: needed %v", c.name, i, s.Needed)
			}
		}
		if safe != nil && !c.ok(x) {
			t.Errorf("%s: %v is not safe", c.name, x)
		}
	}
}
