// Loops that never end.

package bind_test

import (
	"context"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/ir/bind"
	"github.com/seed-12b88e03/ppl/ir/bind/bindtest"
	"github.com/seed-12b88e03/ppl/ir/data"
	"github.com/seed-12b88e03/ppl/stdlib"
)

func TestEndlessLoopIsGivenUp(t *testing.T) {
	m := bound(t, `parameters { real mu; } model { int i = 1; while (i > 0) i = 2; mu ~ normal(0, 1); }`, `{}`)
	defer m.TrackRun(&patience{Context: context.Background(), ends: 100})()
	if _, err := m.NewEvaluator().LogDensity([]float64{0}); !infer.IsInterrupted(err) {
		t.Errorf("got %v, want the interruption", err)
	}
}

// TestQuestionsBetweenRuns: what is asked outside of runs is given up with the context that was named for it, and a run
// that waits for the model is waited for.
func TestQuestionsBetweenRuns(t *testing.T) {
	m := bound(t, `parameters { real mu; } model { int i = 1; while (i > 0) i = 2; mu ~ normal(0, 1); }`, `{}`)
	bind.Within(&patience{Context: context.Background(), ends: 100}, m)
	if err := m.Generative(); !infer.IsInterrupted(err) {
		t.Errorf("got %v, want the interruption", err)
	}
	run := &patience{Context: context.Background(), ends: 100}
	leave := m.TrackRun(run)
	if err := m.Generative(); !infer.IsInterrupted(err) || run.asked <= run.ends {
		t.Errorf("got %v after a run was asked %d times, want the interruption after %d", err, run.asked, run.ends)
	}
	leave()
}

// TestEndlessTransformedData: binding ends with its context, in a loop, between calls that take their time, and in a
// recursion without loops.
func TestEndlessTransformedData(t *testing.T) {
	lib := stdlib.New()
	for _, text := range []string{
		`transformed data { int i = 1; while (i > 0) i = 2; } parameters { real mu; } model { mu ~ normal(0, 1); }`,
		`transformed data { vector[20000] v = rep_vector(1, 20000); ` + strings.Repeat("v = exp(-v); ", 200) + `} parameters { real mu; } model { mu ~ normal(0, 1); }`,
		`functions { int slow(int n) { if (n < 2) return 1; return slow(n - 1) + slow(n - 2); } } transformed data { int i = slow(200); } parameters { real mu; } model { mu ~ normal(0, 1); }`,
	} {
		p, err := bindtest.Compile("test.stan", text, ".", lib)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := bind.BindContext(&patience{Context: context.Background(), ends: 100}, p, lib, &data.Set{}, bind.Options{}); !infer.IsInterrupted(err) {
			t.Errorf("got %v, want the interruption", err)
		}
	}
}

// A patience is a context that ends when it has been asked so many times.
type patience struct {
	context.Context
	asked, ends int
}

func (p *patience) Err() error {
	if p.asked++; p.asked > p.ends {
		return context.Canceled
	}
	return nil
}

// TestLongLoopsAreGivenUp: whatever is done for each iteration of a loop, and be it data that is
// evaluated for an iteration that stands for all, asks now and then whether anybody waits, and
// what asked in vain does not go on in another way.
func TestLongLoopsAreGivenUp(t *testing.T) {
	const iterations = 1 << 14
	in, err := recurrenceData(iterations)
	if err != nil {
		t.Fatal(err)
	}
	lib := stdlib.New()
	for name, body := range map[string]string{
		"data of the round":   `for (t in 2 : T) { x = tanh(x * a + log(t)) + y[max(t - 2, 1)] + exp(-t * 0.01) * sin(t); }`,
		"places of the round": `for (t in 2 : T) { x = tanh(x * a) + y[idx[t]] + X[idx[t], c[t]]; }`,
		"integers ahead":      `int k = 0; for (t in 2 : T) { k = (k + c[t]) % T; x = tanh(x * a) + y[k + 1]; }`,
		"round by round":      `int k = 0; for (t in 2 : T) { if (x > 100) k = t; x = tanh(x * a) + y[t] + k; }`,
	} {
		text := recurrenceVars + "parameters { real a; } model { real x = a; " + body + " target += x; a ~ std_normal(); }"
		p, err := bindtest.Compile("test.stan", text, ".", lib)
		if err != nil {
			t.Fatal(err)
		}
		m, err := bind.Bind(p, lib, in, bind.Options{})
		if err != nil {
			t.Fatal(err)
		}
		ctx := &patience{Context: context.Background(), ends: 1 << 30}
		leave := m.TrackRun(ctx)
		if _, err := m.NewEvaluator().LogDensity([]float64{0}); err != nil {
			t.Fatal(err)
		}
		leave()
		const often = 512 // iterations between two questions, at most
		all := ctx.asked
		if all < iterations/often {
			t.Errorf("%s: asked %d times in %d rounds", name, all, iterations)
		}
		for ends := 1; ends < all; ends += 1 + all/7 {
			m, err := bind.Bind(p, lib, in, bind.Options{})
			if err != nil {
				t.Fatal(err)
			}
			ctx := &patience{Context: context.Background(), ends: ends}
			leave := m.TrackRun(ctx)
			if _, err := m.NewEvaluator().LogDensity([]float64{0}); !infer.IsInterrupted(err) || ctx.asked > ends+3 {
				t.Errorf("%s: after %d of %d questions: %v, and %d more were asked", name, ends, all, err, ctx.asked-ends)
			}
			leave()
		}
	}
}
