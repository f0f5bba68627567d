// Places of observations among their leave-one-out predictions, against closed forms.

package lang_test

import (
	"context"
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/infer/infertest/subset"
	"github.com/seed-12b88e03/ppl/infer/rng"
	"github.com/seed-12b88e03/ppl/lang"
)

// TestOraclePIT: a normal mean with known variance has normal leave-one-out predictions. Of data from the model at most 1 % give a p-value
// below 0.01: of so many more than the bound has a probability below 1 in 200.
func TestOraclePIT(t *testing.T) {
	r := rng.New(31, "pit", 0, 0)
	ctx, n, alarms := context.Background(), subset.Of(12, 300), 0
	for i := range n {
		c := normalModel{m: 0, s: 2, y: make([]float64, 40)}
		mu := 2 * r.NormFloat64()
		each := make([]int, len(c.y))
		for k := range c.y {
			c.y[k], each[k] = mu+r.NormFloat64(), k
		}
		m, fit := fitted(t, normalModelText, c.data(), "nuts(warmup = 300, draws = 300)")
		got, err := m.PIT(ctx, fit.Posterior.Draws, lang.RefitOptions{Seed: uint64(i)})
		if err != nil {
			t.Fatal(err)
		}
		for k, u := range got.Values {
			precision, sum := 1/(c.s*c.s), c.m/(c.s*c.s)
			for j, y := range c.y {
				if j != k {
					precision, sum = precision+1, sum+y
				}
			}
			want := 0.5 * math.Erfc(-(c.y[k]-sum/precision)/math.Sqrt(2*(1+1/precision)))
			if math.Abs(u-want) > 0.09 {
				t.Errorf("case %d: %s is at %.3f, exactly %.3f", i, got.Names[k], u, want)
			}
		}
		if got.P < 0.01 {
			alarms++
		}
	}
	t.Logf("%d of %d below 0.01", alarms, n)
	if alarms > 1+n/40 {
		t.Errorf("%d of %d below 0.01", alarms, n)
	}
}

// TestPITOf: predictions that are too narrow, factors in another order than numbers, counts, and what is refused.
func TestPITOf(t *testing.T) {
	r := rng.New(32, "pit", 0, 0)
	n := 60
	y, z, k, a := make([]float64, n), make([]float64, n), make([]int, n), make([]int, n)
	for i := range y {
		y[i], z[i], k[i], a[i] = 2.5*r.NormFloat64(), r.NormFloat64(), r.IntN(4), i%2
	}
	text, err := json.Marshal(map[string]any{"N": n, "y": y, "z": z, "k": k, "a": a})
	if err != nil {
		t.Fatal(err)
	}
	const head = "data { int N; vector[N] y; vector[N] z; array[N] int k; array[N] int a; } parameters { real m; real w; } model { m ~ normal(0, 2); w ~ normal(0, 2); "
	for _, c := range []struct {
		body, shape string
		refused     string
	}{
		{"y ~ normal(m, 1); }", "too narrow", ""},
		{"y ~ normal(m, 20); }", "too wide", ""},
		{"for (n in 1:N) { if (a[n] == 1) y[n] ~ normal(m, 1); else y[n] ~ normal(w, 1); } }", "too narrow", ""},
		{"z ~ normal(w, 1); y ~ normal(m, 20); }", "", ""},
		{"k ~ poisson_log(m); }", "", ""},
		{"for (n in 2:N) y[n] ~ normal(m * y[n - 1], 1); }", "", "cannot be told"},
		{"y ~ multi_normal(rep_vector(m, N), identity_matrix(N)); }", "", "not one factor an observation"},
	} {
		m, fit := fitted(t, head+c.body, string(text), "nuts(warmup = 300, draws = 300)")
		got, err := m.PIT(context.Background(), fit.Posterior.Draws, lang.RefitOptions{Seed: 1})
		switch {
		case c.refused != "" && (err == nil || !strings.Contains(err.Error(), c.refused)):
			t.Errorf("%s: %v", c.body, err)
		case c.refused == "" && err != nil:
			t.Errorf("%s: %v", c.body, err)
		case c.shape != "" && (got.Shape != c.shape || got.P > 0.001):
			t.Errorf("%s: %s, p %g, %s", c.body, got.Shape, got.P, got.Picture)
		}
	}
}
