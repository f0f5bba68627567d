package lang

import (
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/diagnose"
)

// TestFactorsOfOneMode fits one of the two labellings of a mixture by independent factors. By
// enumeration of the 2^9 labels log p(y) is -18.2526, log 2 above what the weights within a
// labelling say, so that no finding on factors, evidence or blocks may be good.
func TestFactorsOfOneMode(t *testing.T) {
	m := boundTo(t, `data { int N; int K; vector[N] y; }
parameters { vector[K] mu; array[N] int<lower=1,upper=K> z; simplex[K] w; }
model { w ~ dirichlet(rep_vector(1.5, K)); mu ~ normal(0, 3); z ~ categorical(w);
  for (n in 1:N) y[n] ~ normal(mu[z[n]], 0.7); }`,
		map[string]any{"N": 9, "K": 2, "y": []float64{-2.442, -3.233, -1.486, -2.016, 1.55, 0.973, 1.818, 1.122, 1.4}})
	method, err := m.Program.Method("cavi()")
	if err != nil {
		t.Fatal(err)
	}
	for seed := range uint64(3) {
		fit, err := m.Run(t.Context(), method, RunOptions{Seed: seed + 1, Jobs: 2})
		if err != nil {
			t.Fatal(err)
		}
		about := 0
		for _, f := range fit.Findings {
			if f.Name != "factors" && f.Name != "mutual_information" {
				continue
			}
			about++
			if f.Severity == diagnose.Good || !strings.HasPrefix(f.Meaning, "Within this mode alone") {
				t.Errorf("seed %d: %s %s", seed+1, f.Severity, f.Meaning)
			}
		}
		if about == 0 {
			t.Errorf("seed %d: nothing is said of the factors", seed+1)
		}
	}
}
