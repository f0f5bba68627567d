package bind_test

import (
	"math"
	"slices"
	"testing"

	"github.com/seed-12b88e03/ppl/infer"
)

// The terms add up to the log density, and change only with their coordinates: all
// others are moved.
func TestAdditive(t *testing.T) {
	hierarchy := bound(t, `
data { int J; vector[J] y; array[J] int g; }
parameters { real mu; real<lower=0> tau; vector[2] theta; simplex[3] p; }
transformed parameters { vector[2] eta = mu + tau * theta; }
model {
  theta ~ normal(0, 1);
  tau ~ cauchy(0, 5);
  p ~ dirichlet(rep_vector(2, 3));
  y ~ normal(eta[g], 1.5);
  for (j in 1:J) target += student_t_lpdf(y[j] | 4, theta[g[j]], p[1]);
}`, `{"J": 3, "y": [1, -0.5, 2], "g": [1, 2, 2]}`)
	for name, m := range map[string]interface {
		infer.Model
		infer.Additive
		infer.Normalized
	}{"regression": observed(t), "hierarchy": hierarchy} {
		terms, err := m.NewTerms()
		if err != nil {
			t.Fatal(err)
		}
		d, n := m.Dim(), len(terms.Coords())
		q, at, moved := make([]float64, d), make([]float64, n), make([]float64, n)
		for i := range q {
			q[i] = 0.3 * float64(i+1)
		}
		if err := terms.LogTerms(q, at); err != nil {
			t.Fatal(err)
		}
		var sum, likelihood float64
		for i, v := range at {
			sum += v
			if terms.Likelihood()[i] {
				likelihood += v
			}
		}
		_, l, err := m.NewEvaluator().(infer.Tempered).LogDensityParts(q)
		if err != nil {
			t.Fatal(err)
		}
		lp, err := m.NewEvaluator().LogDensity(q)
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(likelihood-l) > 1e-12*math.Abs(l) || math.Abs(sum-lp-m.LogConstant()) > 1e-12*math.Abs(lp) {
			t.Errorf("%s: terms add up to %.14g and %.14g, density and likelihood are %.14g and %.14g", name, sum, likelihood, lp, l)
		}
		for i := range q {
			was := q[i]
			q[i] += 0.4
			if err := terms.LogTerms(q, moved); err != nil {
				t.Fatal(err)
			}
			q[i] = was
			for k, c := range terms.Coords() {
				if changes := moved[k] != at[k]; changes != slices.Contains(c, i) {
					t.Errorf("%s: term %d has coordinates %v, and changes with coordinate %d: %t", name, k, c, i, changes)
				}
			}
		}
	}
}

// Where control flow depends on parameters the terms are not known.
func TestAdditiveGuards(t *testing.T) {
	m := bound(t, `data { real y; } parameters { real a; real b; } model { if (a > 0) y ~ normal(a, 1); else y ~ normal(b, 1); }`, `{"y": 1}`)
	if _, err := m.NewTerms(); err == nil {
		t.Error("no error")
	}
}
