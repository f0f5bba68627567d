package cavi_test

// This file compares sums of terms with terms one by one.

import (
	"math"
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
		"repeated": `parameters { simplex[2] w; vector[2] mu; array[N] int<lower=1, upper=2> z; }
		  model { w ~ dirichlet([1, 3]'); mu ~ normal(0, 3);
		    for (n in 1:N) { z[n] ~ categorical(w); y[n % 2 + 1] ~ normal(mu[z[n]], 1 + n %/% 6); } }`,
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

// TestAlike: whole numbers in the same terms have one factor, which each of them is drawn from, and
// others do not: of six labels two and three are alike, the sixth has a noise of its own, and weights and two means are there. The bound
// is the one with a factor for each, as terms that differ by 1e-12 make.
func TestAlike(t *testing.T) {
	const program = `data { int N; vector[N] y; vector[N] s; }
parameters { simplex[2] w; vector[2] mu; array[N] int<lower=1, upper=2> z; }
model { w ~ dirichlet([1, 3]'); mu ~ normal(0, 3);
  for (n in 1:N) { z[n] ~ categorical(w); y[n] ~ normal(mu[z[n]], s[n]); } }`
	const y = `{"N": 6, "y": [-2.4, 1.5, -2.4, 1.5, -2.4, 1.5], "s": `
	var bounds [2]float64
	for i, c := range []struct {
		noise   string
		factors int
	}{
		{"[1, 1, 1, 1, 1, 2]}", 6},
		{"[1, 1, 1.000000000001, 1.000000000001, 0.999999999999, 2]}", 9},
	} {
		f, err := model(t, program, y+c.noise).Joint().(infer.Factorisable).Factorise(infer.Blocking{Choice: infer.ByParameter})
		if err != nil {
			t.Fatal(err)
		}
		var factors int
		if factors, bounds[i], err = cavi.Alike(f); err != nil {
			t.Fatal(err)
		}
		if factors != c.factors {
			t.Errorf("noise %s: %d factors, want %d", c.noise, factors, c.factors)
		}
	}
	if d := math.Abs(bounds[0] - bounds[1]); !(d < 1e-9) {
		t.Errorf("the bound is %v, and %v with a factor for each", bounds[0], bounds[1])
	}
}
