// Discrete parameters of which some values exclude others: what is impossible has density
// zero, and takes nothing from what is possible.

package bind_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/mh"
)

// captures has states of which none follows a death but death, and none can be seen dead.
const captures = `data { int T; array[T] int y; }
parameters { real<lower=0, upper=1> phi; real<lower=0, upper=1> p; array[T] int<lower=0, upper=1> z; }
model {
  z[1] ~ bernoulli(1);
  for (t in 2:T) { z[t] ~ bernoulli(z[t - 1] * phi); y[t] ~ bernoulli(z[t] * p); }
}`

const captured = `{"T": 5, "y": [1, 0, 0, 1, 0]}`

func TestImpossibleStates(t *testing.T) {
	e := bound(t, captures, captured).Joint().NewEvaluator()
	grad := make([]float64, e.Dim())
	tempered, ok := infer.Capability[infer.Tempered](e)
	if !ok {
		t.Fatal("the joint density has no parts")
	}
	// At phi = p = 1/2; the two log Jacobians are log(1/4) each.
	for _, c := range []struct {
		z    []float64
		want float64
	}{
		{[]float64{1, 1, 1, 1, 1}, 8*math.Log(0.5) + 2*math.Log(0.25)},
		{[]float64{1, 1, 1, 1, 0}, 7*math.Log(0.5) + 2*math.Log(0.25)},
		{[]float64{1, 1, 0, 1, 1}, math.Inf(-1)},
		{[]float64{1, 1, 1, 0, 0}, math.Inf(-1)},
	} {
		q := append([]float64{0, 0}, c.z...)
		lp, err := e.LogDensity(q)
		if err != nil || lp != c.want && !(math.Abs(lp-c.want) < 1e-12) {
			t.Errorf("states %v: log density %v, %v; want %v", c.z, lp, err, c.want)
		}
		lp, err = e.LogDensityGrad(q, grad)
		if err != nil || lp != c.want && !(math.Abs(lp-c.want) < 1e-12) {
			t.Errorf("states %v: log density with gradient %v, %v; want %v", c.z, lp, err, c.want)
		}
		if p, l, err := tempered.LogDensityParts(q); err != nil || math.IsNaN(p+l) || p+l != c.want && !(math.Abs(p+l-c.want) < 1e-12) {
			t.Errorf("states %v: log prior %v, log likelihood %v, %v; want a sum of %v", c.z, p, l, err, c.want)
		}
	}
}

// TestImpossibleValueElsewhere has a value that is possible at the first point only: the
// other one's density must not suffer.
func TestImpossibleValueElsewhere(t *testing.T) {
	e := bound(t, `data { real y; } parameters { real<lower=1, upper=4> a; int<lower=1, upper=2> z; }
model { y ~ uniform(0, z == 1 ? 4 : a); }`, `{"y": 2}`).Joint().NewEvaluator()
	for _, c := range []struct{ q, z, want float64 }{
		{0, 1, -math.Log(4)}, {0, 2, -math.Log(2.5)}, {-2, 1, -math.Log(4)}, {-2, 2, math.Inf(-1)}, {0, 2, -math.Log(2.5)},
	} {
		u := 1 / (1 + math.Exp(-c.q))
		want := c.want + math.Log(3*u*(1-u)) // the log Jacobian
		if lp, err := e.LogDensity([]float64{c.q, c.z}); err != nil || lp != want && !(math.Abs(lp-want) < 1e-12) {
			t.Errorf("at %v with %v: log density %v, %v; want %v", c.q, c.z, lp, err, want)
		}
	}
}

// TestPosteriorOfImpossibleStates compares with the closed form: with the states summed
// out the density is phi^3 p (1 - p)^2 (1 - phi p). Each mean is within 4.5 Monte Carlo
// errors, which fails by chance once in 100,000. Starting points need luck of 1 in 16.
func TestPosteriorOfImpossibleStates(t *testing.T) {
	beta := func(a, b float64) float64 { return math.Gamma(a) * math.Gamma(b) / math.Gamma(a+b) }
	total := beta(4, 1)*beta(2, 3) - beta(5, 1)*beta(3, 3)
	wants := []float64{(beta(5, 1)*beta(2, 3) - beta(6, 1)*beta(3, 3)) / total, (beta(4, 1)*beta(3, 3) - beta(5, 1)*beta(4, 3)) / total}
	o := mh.DefaultOptions()
	o.Draws = 5000
	random, err := mh.New(o)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range []infer.Method{gibbsMethod(t, 200, 2000), random} {
		for i, s := range run(t, m, bound(t, captures, captured).Joint()).Summaries()[1:3] {
			if !(math.Abs(s.Mean-wants[i]) <= 4.5*s.MCSE) {
				t.Errorf("%s: mean of %s %v (error %v), want %v", m.Name(), s.Name, s.Mean, s.MCSE, wants[i])
			}
		}
	}
}

// TestExcludedStates: independent factors can only be sure of when a life ended, which
// leaves out the other possibilities; where all but the last state are sure, nothing is
// left out.
func TestExcludedStates(t *testing.T) {
	for y, some := range map[string]bool{`{"T": 5, "y": [1, 1, 0, 0, 0]}`: true, captured: false} {
		p := ascent(t, bound(t, captures, y).Joint(), infer.ByParameter)
		if p.Fit.Excluded > 0 != some || (p.Duality == nil) != some {
			t.Errorf("%s: a share of %v is excluded, want some: %v; duality %v", y, p.Fit.Excluded, some, p.Duality)
		}
	}
}

// TestNowhere has a statement that refuses its arguments at every value: the error says which.
func TestNowhere(t *testing.T) {
	m := bound(t, `data { int y; } parameters { real<lower=0, upper=1> p; int<lower=1, upper=3> k; }
model { y ~ binomial(10 * k, p); }`, `{"y": 31}`).Joint()
	_, err := gibbsMethod(t, 10, 10).Run(context.Background(), m, infer.Options{Seed: 1, Jobs: 1})
	if err == nil || !strings.Contains(err.Error(), "n is 31, but must be in the interval [0, 10]") {
		t.Errorf("the error is %v", err)
	}
}

// TestRefusedCounts has counts that some numbers of animals cannot give. The log density with
// the numbers summed out is held against their sum written out, the derivative against
// central differences, which are good to 1e-8 here, and the joint density against its terms.
func TestRefusedCounts(t *testing.T) {
	const most = 12
	seen := []int{3, 7, 2}
	for _, program := range []string{
		`data { array[3] int y; } parameters { real<lower=0, upper=1> p; array[3] int<lower=0, upper=12> N; }
model { y ~ binomial(N, p); }`,
		`data { array[3] int y; } parameters { real<lower=0, upper=1> p; array[3] int<lower=0, upper=12> N; }
model { for (i in 1:3) { if (N[i] > 9) target += binomial_lpmf(y[i] | N[i], p); else y[i] ~ binomial(N[i], p); } }`,
	} {
		m := bound(t, program, `{"y": [3, 7, 2]}`)
		mass := func(p float64, y, n int) float64 {
			if n < y {
				return 0
			}
			return math.Gamma(float64(n)+1) / math.Gamma(float64(y)+1) / math.Gamma(float64(n-y)+1) *
				math.Pow(p, float64(y)) * math.Pow(1-p, float64(n-y))
		}
		want := func(q float64) float64 {
			p := 1 / (1 + math.Exp(-q))
			sum := math.Log(p * (1 - p))
			for _, y := range seen {
				total := 0.0
				for n := range most + 1 {
					total += mass(p, y, n)
				}
				sum += math.Log(total)
			}
			return sum
		}
		const q, h = 0.3, 1e-4
		grad := make([]float64, 1)
		e := m.NewEvaluator()
		if lp, err := e.LogDensityGrad([]float64{q}, grad); err != nil || math.Abs(lp-want(q)) > 1e-12 {
			t.Errorf("log density %v, %v; want %v", lp, err, want(q))
		}
		if slope := (want(q+h) - want(q-h)) / (2 * h); math.Abs(grad[0]-slope) > 1e-7 {
			t.Errorf("derivative %v, differences give %v", grad[0], slope)
		}
		p := 1 / (1 + math.Exp(-q))
		joint := m.Joint().NewEvaluator()
		for _, numbers := range [][]int{{3, 7, 2}, {12, 8, 5}, {3, 6, 2}} {
			want := math.Log(p*(1-p)) + math.Log(mass(p, 3, numbers[0])) + math.Log(mass(p, 7, numbers[1])) + math.Log(mass(p, 2, numbers[2]))
			lp, err := joint.LogDensity([]float64{q, float64(numbers[0]), float64(numbers[1]), float64(numbers[2])})
			if err != nil || lp != want && !(math.Abs(lp-want) < 1e-12) {
				t.Errorf("numbers %v: log density %v, %v; want %v", numbers, lp, err, want)
			}
		}
	}
}
