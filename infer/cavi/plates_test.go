package cavi_test

// This file compares sums of terms with terms one by one.

import (
	"testing"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/cavi"
)

// TestPlates: terms put together by what they have of other blocks say what they say one by one,
// with none, one and several whole numbers in a term, impossible values and no whole numbers at all.
func TestPlates(t *testing.T) {
	const y = `{"N": 6, "y": [-2.4, -3.2, 1.5, 0.3, 1.1, 1.4]}`
	const data = `data { int N; vector[N] y; } `
	for name, program := range map[string]string{
		"none": `parameters { vector[2] a; real<lower=0> v; }
		  model { a ~ normal(0, 1); v ~ inv_gamma(1, 1); y ~ normal(a[1] + a[2] * y, sqrt(v)); }`,
		"mixture": `parameters { simplex[3] w; vector[3] mu; vector<lower=0>[3] tau; array[N] int<lower=1, upper=3> z; }
		  model { w ~ dirichlet([1, 2, 3]'); mu ~ normal(0, 3); tau ~ gamma(2, 1); z ~ categorical(w);
		    for (n in 1:N) y[n] ~ normal(mu[z[n]], inv_sqrt(tau[z[n]])); }`,
		"chain": `parameters { array[2] simplex[2] th; vector[2] mu; array[N] int<lower=1, upper=2> z; }
		  model { for (k in 1:2) th[k] ~ dirichlet([1, 3]'); mu ~ normal(0, 3);
		    for (n in 2:N) z[n] ~ categorical(th[z[n - 1]]);
		    for (n in 1:N) y[n] ~ normal(mu[z[n]], 1); }`,
		"numbers alone": `parameters { array[N] int<lower=0, upper=1> z; }
		  model { for (n in 2:N) target += y[n] * z[n] * z[n - 1]; for (n in 1:N) target += 0.3 * z[n]; }`,
		"three in a term": `parameters { array[3] int<lower=0, upper=2> z; real b; }
		  model { b ~ normal(0, 1); y ~ normal(b * z[1] * z[2] * (1 + z[3]), 2); }`,
		"impossible": `parameters { array[3] int<lower=0, upper=2> z; real b; }
		  model { b ~ normal(0, 1); z[1] ~ bernoulli(0.2); y ~ normal(b * z[2], 2);
		    if (z[3] == 1) target += negative_infinity(); }`,
	} {
		m := model(t, data+program, y).Joint()
		f, err := m.(infer.Factorisable).Factorise(infer.Blocking{Choice: infer.ByParameter})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		q := make([]float64, m.NewEvaluator().Dim())
		for i := range q {
			q[i] = 0.3 - 0.2*float64(i%3)
		}
		worst, err := cavi.Plates(f, q)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if !(worst < 1e-12) {
			t.Errorf("%s: sums over plates and over terms differ by %g of their size", name, worst)
		}
	}
}
