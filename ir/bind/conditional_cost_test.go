package bind_test

// This file looks for full conditionals in models where that must not take long.

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/infer"
)

// TestConditionalsOfLargeModels takes hours, or the memory of the machine, where the cost is not about linear
// in the size of the graph.
func TestConditionalsOfLargeModels(t *testing.T) {
	sines := func(n int) string {
		x := make([]string, n)
		for i := range x {
			x[i] = fmt.Sprintf("%.3f", math.Sin(float64(i+1)))
		}
		return "[" + strings.Join(x, ",") + "]"
	}
	rows := func(n, k int) string {
		x := make([]string, n)
		for i := range x {
			x[i] = sines(k)
		}
		return "[" + strings.Join(x, ",") + "]"
	}
	m := bound(t, `data { int n; vector[n] x; matrix[n,n] y; } parameters { vector[n] a; real<lower=0> s; }
model { matrix[n,n] m = x * a'; for (k in 1:3) m = m * m; a ~ normal(0,1); s ~ normal(0,1); to_vector(y) ~ normal(to_vector(m), s); }`,
		fmt.Sprintf(`{"n": 60, "x": %s, "y": %s}`, sines(60), rows(60, 60)))
	if b, err := m.Conditionals(); err != nil || len(b) != 2 || b[0].Form != "slice" {
		t.Errorf("powers of a matrix: %v, %v", b, err)
	}
	m = bound(t, `data { int N; int K; matrix[N,K] X; } parameters { vector[K] beta; real alpha; }
model { beta ~ normal(0,1); alpha ~ normal(0,2); for (n in 1:N) target += -log1p_exp(alpha + X[n] * beta); }`,
		fmt.Sprintf(`{"N": 2000, "K": 30, "X": %s}`, rows(2000, 30)))
	if b, err := m.Conditionals(); err != nil || len(b) != 2 || b[0].Form != "slice" {
		t.Errorf("logistic regression: %v, %v", b, err)
	}
	m = bound(t, `parameters { vector[40] a; } model { real m = sum(a); a ~ normal(0, 1); target += -square(m * m * m); }`, "{}")
	b, err := m.Conditionals()
	if err != nil || len(b) != 1 || !strings.Contains(b[0].Reason, "more terms than a check multiplies out") {
		t.Errorf("many terms: %v, %v", b, err)
	}
}

// TestRecordedOnce: a check, full conditionals in blocks of two kinds, and the factors of coordinate ascent
// are found on one recording of the statements.
func TestRecordedOnce(t *testing.T) {
	m := bound(t, `data { vector[3] y; } parameters { real a; real b; real<lower=0> tau; }
model { a ~ normal(0, 1); b ~ normal(a, 1); tau ~ gamma(2, 1); y ~ normal(a + b, inv_sqrt(tau)); }`, `{"y": [1, 2, 4]}`)
	n := m.CountRecordings()
	if _, err := m.Conditionals(); err != nil {
		t.Fatal(err)
	}
	for _, by := range []infer.Blocking{{}, {Choice: infer.ByElement}} {
		if c, ok := infer.Capability[infer.Conditionals](m.Joint().NewEvaluator()); !ok || c.Arrange(by) != nil {
			t.Fatalf("blocks %q", by)
		}
		if _, err := m.Factorise(by); err != nil {
			t.Fatal(err)
		}
	}
	if *n != 1 {
		t.Errorf("the statements were recorded %d times", *n)
	}
}
