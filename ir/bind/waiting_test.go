// Loops that never end.

package bind_test

import (
	"context"
	"testing"
	"time"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/ir/bind"
	"github.com/seed-12b88e03/ppl/ir/bind/bindtest"
	"github.com/seed-12b88e03/ppl/ir/data"
	"github.com/seed-12b88e03/ppl/stdlib"
)

func TestEndlessLoopIsGivenUp(t *testing.T) {
	m := bound(t, `parameters { real mu; } model { int i = 1; while (i > 0) i = 2; mu ~ normal(0, 1); }`, `{}`)
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	defer m.Attend(ctx)()
	if _, err := m.NewEvaluator().LogDensity([]float64{0}); !infer.IsInterrupted(err) {
		t.Errorf("got %v, want the interruption", err)
	}
}

// TestEndlessTransformedData: binding ends with its context, in a loop and in a recursion
// without loops.
func TestEndlessTransformedData(t *testing.T) {
	lib := stdlib.New()
	for _, text := range []string{
		`transformed data { int i = 1; while (i > 0) i = 2; } parameters { real mu; } model { mu ~ normal(0, 1); }`,
		`functions { int slow(int n) { if (n < 2) return 1; return slow(n - 1) + slow(n - 2); } } transformed data { int i = slow(200); } parameters { real mu; } model { mu ~ normal(0, 1); }`,
	} {
		ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
		defer cancel()
		p, err := bindtest.Compile("test.stan", text, ".", lib)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := bind.BindContext(ctx, p, lib, &data.Set{}, bind.Options{}); !infer.IsInterrupted(err) {
			t.Errorf("got %v, want the interruption", err)
		}
	}
}
