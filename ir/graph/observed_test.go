// What is observed by way of functions.

package graph_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/ir/bind/bindtest"
	"github.com/seed-12b88e03/ppl/ir/graph"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// TestObservedByFunctions: a function is followed once for each binding of its parameters: 2^60 times else where each
// calls another one twice, and through a recursion that exchanges its arguments.
func TestObservedByFunctions(t *testing.T) {
	var twice strings.Builder
	for i := range 60 {
		fmt.Fprintf(&twice, "void f%d_lp(vector x) { f%d_lp(x); f%d_lp(x); } ", i+1, i, i)
	}
	for _, c := range []struct{ functions, call string }{
		{"void f0_lp(vector x) { x ~ normal(0, 1); } " + twice.String(), "f60_lp(y); f60_lp(z);"},
		{"void f_lp(vector a, vector b, int n) { a ~ normal(0, 1); if (n > 0) f_lp(b, a, n - 1); } ", "f_lp(y, z, 1);"},
	} {
		p, err := bindtest.Compile("test.ppl", "functions { "+c.functions+"} data { vector[2] y; vector[2] z; vector[2] w; } parameters { real mu; } model { mu ~ normal(0, 1); "+c.call+" }", ".", stdlib.New())
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for v := range maps.Keys(graph.Observed(p)) {
			names = append(names, v.Name)
		}
		if slices.Sort(names); !slices.Equal(names, []string{"y", "z"}) {
			t.Errorf("%s: observed are %v, want y and z", c.call, names)
		}
	}
}
