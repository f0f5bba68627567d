package bind_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestProfiles counts the runs of profile blocks: one a density for each block, and
// one a row for those of generated quantities.
func TestProfiles(t *testing.T) {
	m := program(t, `
functions {
  real twice(real x) {
    real y;
    profile("function") { y = 2 * x; }
    return y;
  }
}
parameters { real x; }
transformed parameters {
  real y;
  profile("transform") { y = twice(x); }
}
model {
  profile("model") { x ~ normal(0, 1); }
  profile("model") { y ~ normal(0, twice(1)); }
}
generated quantities {
  real g;
  profile("after") { g = y; }
}`, "{}")
	calls := map[string]int{}
	var order []string
	for _, p := range m.Profiles(1) {
		calls[p.Name] = p.Calls
		order = append(order, p.Name)
	}
	if diff := cmp.Diff(map[string]int{"function": 40, "transform": 20, "model": 40, "after": 20}, calls); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if diff := cmp.Diff([]string{"transform", "function", "model", "after"}, order); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if p := program(t, "parameters { real x; } model { x ~ normal(0, 1); }", "{}").Profiles(1); p != nil {
		t.Errorf("a program without profile statements has profiles %v", p)
	}
}
