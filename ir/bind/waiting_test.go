// Loops that never end.

package bind_test

import (
	"context"
	"testing"
	"time"

	"github.com/seed-12b88e03/ppl/infer"
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
