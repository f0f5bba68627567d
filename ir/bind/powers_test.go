package bind_test

import (
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/rng"
	"github.com/seed-12b88e03/ppl/ir/bind"
	"github.com/seed-12b88e03/ppl/ir/bind/bindtest"
)

// TestStatements: over the posteriors, and ways to write a prior and a likelihood, the statements add up to
// the density by the reference interpreter, the likelihood is that of the annealed density, and powers
// change the density and its gradient by what they should.
func TestStatements(t *testing.T) {
	files, _ := filepath.Glob(filepath.Join(sharedFolder(t, "posteriors"), "*", "data.json"))
	r := rng.New(1, "statements", 0, 0)
	tested := 0
	for _, file := range files {
		name := filepath.Base(filepath.Dir(file))
		model := posteriors + name + ".stan"
		if _, err := os.Stat(model); err != nil || slack[name] > 0 {
			continue
		}
		m, err := bindtest.Model(model, file)
		if err != nil {
			t.Fatal(err)
		}
		tested++
		checkStatements(t, name, m, r)
	}
	if tested == 0 {
		t.Error("no posterior was tested")
	}
	for _, prior := range splitPriors {
		for _, likelihood := range splitLikelihoods {
			text := splitFunctions + "model { " + prior + " sigma ~ exponential(1); " + likelihood + " }"
			m := bound(t, text, `{"N": 3, "y": [0.5, -1, 2], "m0": 0.5, "s0": 2, "hyper": [0.5, 2], "use": 1, "one": [1, 1, 1]}`)
			checkStatements(t, prior+" "+likelihood, m, r)
		}
	}
}

func checkStatements(t *testing.T, name string, m *bind.Model, r *rand.Rand) {
	t.Helper()
	q := make([]float64, m.Dim())
	for i := range q {
		q[i] = 0.5 * r.NormFloat64()
	}
	s, err := m.NewStatements(q)
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	for i := range q {
		q[i] = 0.5 * r.NormFloat64()
	}
	parts := make([]float64, len(s.List))
	whole, _, err := m.PlainDensity(q, false)
	if infer.IsReject(err) {
		return
	}
	if err == nil {
		err = s.NewEvaluator().Log(q, parts)
	}
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	sum := 0.0
	for _, x := range parts {
		sum += x
	}
	if c := m.LogConstant(); !(math.Abs(sum-whole) <= 1e-9*(1+math.Abs(whole))) && !(math.Abs(sum-whole-c) <= 1e-9*(1+math.Abs(whole))) {
		t.Errorf("%s: %d statements add up to %.12g, the density is %.12g", name, len(parts), sum, whole)
	}
	_, l, err := m.NewEvaluator().(infer.Tempered).LogDensityParts(q)
	last := len(parts) - 1
	if err == nil && !(math.Abs(l-parts[last]) <= 1e-9*(1+math.Abs(l))) {
		t.Errorf("%s: likelihood %.12g, annealed %.12g", name, parts[last], l)
	}
	checkPowers(t, name, m, s, q, parts, r)
}

// checkPowers compares powers with the parts, and gradients with differences.
func checkPowers(t *testing.T, name string, m *bind.Model, s *bind.Statements, q, parts []float64, r *rand.Rand) {
	t.Helper()
	powers := make([]float64, len(parts))
	want, err := m.Density(true, false).LogDensity(q)
	if err != nil {
		return
	}
	for i := range powers {
		powers[i] = 2 * r.Float64()
		want += (powers[i] - 1) * parts[i]
	}
	e := s.Powered(powers).NewEvaluator()
	grad := make([]float64, m.Dim())
	got, err := e.LogDensityGrad(q, grad)
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	size := 1 + math.Abs(want)
	for i, x := range parts {
		size = max(size, math.Abs(powers[i]*x))
	}
	if !(math.Abs(got-want) <= 1e-9*size) {
		t.Errorf("%s: with powers %.12g, want %.12g", name, got, want)
	}
	// Along one direction, by differences of fourth order.
	v, slope := make([]float64, len(q)), 0.0
	for i := range v {
		v[i] = r.NormFloat64() / math.Sqrt(float64(len(v)))
		slope += v[i] * grad[i]
	}
	at := func(h float64) float64 {
		x := make([]float64, len(q))
		for i := range x {
			x[i] = q[i] + h*v[i]
		}
		lp, err := e.LogDensity(x)
		if err != nil {
			return math.NaN()
		}
		return lp
	}
	const h = 1e-3
	difference := (8*(at(h)-at(-h)) - (at(2*h) - at(-2*h))) / (12 * h)
	if !(math.Abs(difference-slope) <= 1e-6*(math.Abs(slope)+size)) && !math.IsNaN(difference) {
		t.Errorf("%s: slope %.10g, by differences %.10g", name, slope, difference)
	}
}

// TestStatementsNamed: where statements are, which parameters they depend on, and models with
// discrete parameters, whose prior is one.
func TestStatementsNamed(t *testing.T) {
	m := bound(t, `data { int J; vector[J] y; }
parameters { real mu; real<lower=0> tau; vector[J] theta; }
model {
  mu ~ normal(0, 5); tau ~ cauchy(0, 5);
  for (j in 1:J) theta[j] ~ normal(mu, tau);
  y ~ normal(theta, 1);
}`, `{"J": 2, "y": [1, 2]}`)
	s, err := m.NewStatements([]float64{0.1, 0.2, 0.3, 0.4})
	if err != nil {
		t.Fatal(err)
	}
	want := []struct {
		text       string
		parameters int
	}{{"mu ~ normal(0, 5);", 1}, {"tau ~ cauchy(0, 5);", 1}, {"theta[j] ~ normal(mu, tau);", 3}, {"", 1}}
	if len(s.List) != len(want) {
		t.Fatalf("%d statements: %+v", len(s.List), s.List)
	}
	for i, w := range want {
		got := s.List[i]
		text := ""
		if !got.At.IsZero() {
			text = got.At.Text()
		}
		if text != w.text || len(got.Parameters) != w.parameters {
			t.Errorf("statement %d: %q of %v, want %q of %d parameters", i, text, got.Parameters, w.text, w.parameters)
		}
	}
	mixed := bound(t, `data { int N; vector[N] y; } parameters { vector[2] mu; array[N] int<lower=1, upper=2> z; }
model { mu ~ normal(0, 3); z ~ categorical([0.3, 0.7]'); y ~ normal(mu[z], 1); }`, `{"N": 3, "y": [-2, 0.5, 2]}`)
	s, err = mixed.NewStatements([]float64{0.1, 0.2})
	if err != nil {
		t.Fatal(err)
	}
	parts := make([]float64, len(s.List))
	if err := s.NewEvaluator().Log([]float64{-1, 1}, parts); err != nil {
		t.Fatal(err)
	}
	normal := func(x, m, sd float64) float64 { return -0.5*math.Pow((x-m)/sd, 2) - math.Log(sd*math.Sqrt(2*math.Pi)) }
	prior, likelihood := normal(-1, 0, 3)+normal(1, 0, 3), 0.0
	for _, y := range []float64{-2, 0.5, 2} {
		likelihood += math.Log(0.3*math.Exp(normal(y, -1, 1)) + 0.7*math.Exp(normal(y, 1, 1)))
	}
	if len(parts) != 2 || math.Abs(parts[0]-prior) > 1e-12 || math.Abs(parts[1]-likelihood) > 1e-12 {
		t.Errorf("parts %v, want %v and %v", parts, prior, likelihood)
	}
}
