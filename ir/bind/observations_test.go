// The factors of a likelihood: their sum against the likelihood, power integrals
// against closed forms, gradients against differences, and refusals.

package bind_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/ir/bind"
)

func observed(t testing.TB) *bind.Model {
	return bound(t, `
data { int N; vector[N] x; vector[N] y; array[N] int k; array[N] int b; real lone; real fixed; }
parameters { real a; vector[2] w; real<lower=0> s; }
model {
  a ~ normal(0, 2);
  w ~ normal(0, 1);
  s ~ exponential(1);
  y ~ normal(a + w[1] * x, s);
  for (n in 1:N) k[n] ~ poisson_log(a + w[2] * x[n]);
  target += bernoulli_logit_lpmf(b | a * x);
  lone ~ student_t(4, a, s);
  fixed ~ normal(0, 1);
}`, `{"N": 3, "x": [0.5, -1, 2], "y": [1.5, 0.25, -0.5], "k": [1, 0, 4], "b": [1, 0, 1], "lone": 0.7, "fixed": 0.3}`)
}

func TestObservations(t *testing.T) {
	m := observed(t)
	const c = 1.5
	o, err := m.NewObservations(c)
	if err != nil {
		t.Fatal(err)
	}
	if o.Len() != 10 {
		t.Fatalf("%d observations, not 10", o.Len())
	}
	q := []float64{0.4, -0.3, 0.2, 0.1}
	l, powers := make([]float64, 10), make([]float64, 10)
	if err := o.LogTerms(q, l, powers); err != nil {
		t.Fatal(err)
	}
	_, want, err := m.NewEvaluator().(infer.Tempered).LogDensityParts(q)
	if err != nil {
		t.Fatal(err)
	}
	sum := -0.3*0.3/2 - math.Log(2*math.Pi)/2 // the factor without parameters
	for _, v := range l {
		sum += v
	}
	if math.Abs(sum-want) > 1e-12*math.Abs(want) {
		t.Errorf("terms add up to %.14g, the log likelihood is %.14g", sum, want)
	}
	sigma := math.Exp(q[3])
	if w := -(c-1)*(math.Log(2*math.Pi)/2+math.Log(sigma)) - math.Log(c)/2; math.Abs(powers[0]-w) > 1e-13 {
		t.Errorf("power of a normal %.14g, exactly %.14g", powers[0], w)
	}
	p := 1 / (1 + math.Exp(-q[0]*2))
	if w := math.Log(math.Pow(p, c) + math.Pow(1-p, c)); math.Abs(powers[8]-w) > 1e-13 {
		t.Errorf("power of a Bernoulli %.14g, exactly %.14g", powers[8], w)
	}
	checkObservationGradient(t, o, q)
}

func checkObservationGradient(t *testing.T, o infer.Observations, q []float64) {
	t.Helper()
	n := o.Len()
	l, powers, byL, byPowers := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range byL {
		byL[i], byPowers[i] = math.Sin(float64(i)), math.Cos(float64(2*i))
	}
	value := func() (sum float64) {
		if err := o.LogTerms(q, l, powers); err != nil {
			t.Fatal(err)
		}
		for i := range l {
			sum += byL[i]*l[i] + byPowers[i]*powers[i]
		}
		return sum
	}
	grad := make([]float64, len(q))
	if err := o.PullTerms(q, byL, byPowers, grad); err != nil {
		t.Fatal(err)
	}
	for i, x := range q {
		const h = 1e-6
		q[i] = x + h
		up := value()
		q[i] = x - h
		down := value()
		q[i] = x
		if d := (up - down) / (2 * h); math.Abs(d-grad[i]) > 1e-7*(1+math.Abs(d)) {
			t.Errorf("derivative %d is %.9g, by differences %.9g", i, grad[i], d)
		}
	}
}

func TestObservationsRefused(t *testing.T) {
	for _, c := range []struct{ statement, want string }{
		{"target += -square(y[1] - a);", "no univariate density"},
		{"y[1] ~ normal(a, 1) T[0, ];", "no univariate density"},
		{"y ~ multi_normal(rep_vector(a, 2), identity_matrix(2));", "no univariate density"},
		{"y[1] ~ gumbel(a, 1);", "power integral of gumbel"},
		{"target += log_mix(0.3, normal_lpdf(y[1] | a, 1), normal_lpdf(y[1] | 0, 1));", "no univariate density"},
	} {
		m := bound(t, `data { vector[2] y; } parameters { real a; } model { a ~ normal(0, 1); `+c.statement+` }`, `{"y": [0.5, 1]}`)
		if _, err := m.NewObservations(1.5); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.statement, err)
		}
	}
}

// Statements that say the same twice count twice, and no more.
func TestObservationsTwice(t *testing.T) {
	m := bound(t, `
data { int N; vector[N] y; }
parameters { real a; }
model {
  y ~ normal(a, 1);
  y ~ normal(a, 1);
}`, `{"N": 3, "y": [1.5, 0.25, -0.5]}`)
	o, err := m.NewObservations(0)
	if err != nil {
		t.Fatal(err)
	}
	if o.Len() != 6 {
		t.Errorf("%d observations, not 6", o.Len())
	}
}

// A batch of observations against all of them, which have a program of their own.
func TestObservationBatch(t *testing.T) {
	for _, c := range []struct{ parameters, body string }{
		{"real a; vector[P] w; real<lower=0> t;", "y ~ normal(a + X * w, t);"},
		{"vector[J] a;", "y ~ normal(a[g], s);"},
		{"real a; vector[P] w;", "k ~ poisson_log(a + X * w);"},
		{"matrix[P, 4] w; vector[4] o; real<lower=0> t;", "y ~ normal(fmax(X * w, 0) * o, t);"},
	} {
		m := bound(t, termsData+" parameters { "+c.parameters+" } model { "+c.body+" }", termsNumbers)
		for _, order := range []float64{0, 1.5} {
			all, err := m.NewObservations(order)
			if err != nil {
				t.Fatal(err)
			}
			some := all.(infer.Batched).Batch(3)
			if some == nil {
				t.Errorf("%s: no batches", c.body)
				continue
			}
			for _, terms := range [][]int{{4, 0, 5}, {1, 1, 2}} {
				some.Choose(terms)
				checkChosen(t, c.body, all, some, terms, m.Dim(), order != 0)
			}
		}
	}
}

func checkChosen(t *testing.T, name string, all infer.Observations, some infer.Observations, terms []int, dim int, powers bool) {
	t.Helper()
	q := make([]float64, dim)
	for i := range q {
		q[i] = 0.3*float64(i%5) - 0.5
	}
	n := all.Len()
	l, p, byL, byP, g := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, dim)
	ls, ps, byLs, byPs, gs := make([]float64, 3), make([]float64, 3), make([]float64, 3), make([]float64, 3), make([]float64, dim)
	for k, i := range terms {
		byLs[k], byPs[k] = 0.5+float64(k), 1-float64(k)/2
		byL[i] += byLs[k]
		if powers {
			byP[i] += byPs[k]
		}
	}
	for _, err := range []error{all.LogTerms(q, l, p), some.LogTerms(q, ls, ps), all.PullTerms(q, byL, byP, g), some.PullTerms(q, byLs, byPs, gs)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	near := func(what string, got, want float64) {
		if math.Abs(got-want) > 1e-12*(1+math.Abs(want)) {
			t.Errorf("%s, %v: %s %.15g, among all %.15g", name, terms, what, got, want)
		}
	}
	for k, i := range terms {
		near("log density", ls[k], l[i])
		near("power", ps[k], p[i])
	}
	for i := range g {
		near("derivative", gs[i], g[i])
	}
}

// The factors of a loop over many rows are taken apart once for a model, and those of a choice of rows once for its chains: what every
// chain and every refit asked for anew took most of the time of a table of 100,000 rows.
func TestObservationsAreMadeOnce(t *testing.T) {
	var data strings.Builder
	data.WriteString(`{"N": 400, "y": [0`)
	for i := range 399 {
		fmt.Fprintf(&data, ", %g", float64(i)/100)
	}
	data.WriteString("]}")
	m := bound(t, `data { int N; vector[N] y; } parameters { real a; real<lower=0> s; } model { for (n in 1:N) y[n] ~ normal(a, s); }`, data.String())
	o, err := m.NewObservations(0)
	if err != nil {
		t.Fatal(err)
	}
	few := []int{3, 7}
	some := o.(infer.Selected).Select(few)
	q, l, all := []float64{1, 0.5}, make([]float64, 2), make([]float64, 400)
	if err := errors.Join(some.LogTerms(q, l, nil), o.LogTerms(q, all, nil)); err != nil || math.Abs(l[1]-all[7]) > 1e-12 {
		t.Fatalf("row 8 is %g alone, %g among all; %v", l[1], all[7], err)
	}
	again := testing.AllocsPerRun(5, func() {
		o, err := m.NewObservations(0)
		if err == nil {
			err = o.(infer.Selected).Select(few).LogTerms(q, l, nil)
		}
		if err != nil {
			t.Error(err)
		}
	})
	if again > 400 {
		t.Errorf("asked for again, the factors of 400 rows made %g allocations: they were recorded anew", again)
	}
}
