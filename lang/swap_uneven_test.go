package lang

// This file swaps the priors of fits whose chains are not of one length, as time limits make them.

import (
	"context"
	"testing"

	"github.com/seed-12b88e03/ppl/infer/draws"
)

// TestSwapOfUnequalChains: whatever chains of a fit are short, the swap has an answer or is an error that says why.
func TestSwapOfUnequalChains(t *testing.T) {
	m := mustBind(t, meanAndScale, map[string]any{"N": 6, "y": []float64{1, 2, 0.5, 1.5, 0.7, 1.1}})
	method, err := m.Program.Method("nuts(chains = 2, warmup = 200, draws = 200)")
	if err != nil {
		t.Fatal(err)
	}
	fit, err := m.Run(context.Background(), method, RunOptions{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	whole := fit.Posterior.Draws
	for _, n := range []int{1, 5, 10, 99, 150, 199} {
		short := draws.New(2, whole.Stats(), whole.Columns())
		for c, most := range []int{n, 200} {
			for i := range most {
				row := whole.Row(c, i)
				s := 1 + len(whole.Stats())
				short.Append(draws.Row{Chain: c, Iteration: i, LogDensity: row[0], Stats: row[1:s], Values: row[s:]})
			}
		}
		swap, err := m.Program.MethodOn(&Earlier{Draws: short}, "prior_swap(fit) { mu ~ normal(0, 1); }")
		if err != nil {
			t.Fatal(ErrorText(err))
		}
		if _, err := m.Run(context.Background(), swap, RunOptions{Seed: 1}); err != nil {
			t.Errorf("a chain of %d draws beside one of 200: %s", n, ErrorText(err))
		}
	}
}
