package console

import (
	"testing"
	"time"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
)

// A chain that waits for the others between warm-up and draws has no time left to tell, nor does the wait count later.
func TestTimeLeftOfWaitingChains(t *testing.T) {
	b := &bars{}
	b.reset(draws.Plan{Chains: 1, Warmup: 100, Draws: 1_000_000, Thin: 1})
	step := infer.Step{Total: 1_000_100, WarmupTotal: 100, Warmup: true, Done: 1}
	ago := func(d time.Duration) { b.at[0] = b.at[0].Add(-d) }
	b.Step(step)
	ago(time.Minute)
	step.Done = 100
	b.Step(step)
	if _, right, _ := b.chain(0); right.left != "" {
		t.Errorf("a chain that waits has %q", right.left)
	}
	step.Warmup, step.Done = false, 101
	b.Step(step)
	ago(10 * time.Second)
	step.Done = 500_100
	b.Step(step)
	if _, right, _ := b.chain(0); right.left != ", about 10s left" {
		t.Errorf("half of the draws in ten seconds: %q", right.left)
	}
}
