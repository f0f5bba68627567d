// Golden cost counters: what a gradient of each workload model consists of.

package bind_test

import (
	"flag"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/ir/bind/bindtest"
)

var update = flag.Bool("update", false, "rewrite the golden files")

const workloads = "../../examples/workloads/"

// TestGradientCost holds instructions, scalar operations and numbers in memory of the
// compiled gradients against the golden file, so that a change of cost is seen in
// review; and a gradient must not allocate.
func TestGradientCost(t *testing.T) {
	var b strings.Builder
	for _, name := range []string{"a_eight_schools", "c_stochvol", "d1_garch", "d2_hmm", "e_radon"} {
		m, err := bindtest.Model(workloads+name+".stan", workloads+name+".json")
		if err != nil {
			t.Fatal(err)
		}
		q := make([]float64, m.Dim())
		for i := range q {
			q[i] = 0.5 * math.Sin(float64(i+1))
		}
		if err := agree(m, q, 0); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		p, err := m.GradientProgram(q)
		if err != nil {
			t.Fatal(err)
		}
		e, grad := m.NewEvaluator(), make([]float64, m.Dim())
		allocs := testing.AllocsPerRun(20, func() {
			if _, err := e.LogDensityGrad(q, grad); err != nil {
				t.Fatal(err)
			}
		})
		s := p.Stats()
		fmt.Fprintf(&b, "%s: dimension %d, instructions %d, operations %d, slots %d, allocations per gradient %g\n",
			name, m.Dim(), s.Instructions, s.Operations, s.Slots, allocs)
		if allocs != 0 {
			t.Errorf("%s: %g allocations per gradient", name, allocs)
		}
	}
	golden(t, "testdata/cost.golden", b.String())
}

// golden compares a text with a file, or with -update writes the file.
func golden(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("differs from %s (go test -update writes it anew):\n--- got\n%s--- want\n%s", path, got, want)
	}
}
