// This file tests what is said of independent factors and of the blocks of a sweep.

package lang

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/diagnose"
)

// found is a fit's finding of some name; the zero one where there is none.
func found(f *Fit, name string) diagnose.Finding {
	for _, x := range f.Findings {
		if x.Name == name {
			return x
		}
	}
	return diagnose.Finding{}
}

// fitBy fits a bound model by a method.
func fitBy(t *testing.T, m *Model, method string, seed uint64) *Fit {
	t.Helper()
	how, err := m.Program.Method(method)
	if err != nil {
		t.Fatal(err)
	}
	fit, err := m.Run(t.Context(), how, RunOptions{Seed: seed, Jobs: 2})
	if err != nil {
		t.Fatal(err)
	}
	return fit
}

// noncentred is a hierarchy of J groups of 4 whose means are mu + sa z: products of three
// blocks, which independent factors cannot follow. The mutual information of mu with the rest is
// above 1 nat.
const noncentred = `data { int J; int N; array[N] int g; vector[N] y; }
parameters { real mu; real<lower=0> sa; real<lower=0> se; vector[J] z; }
model { mu ~ normal(0, 3); sa ~ normal(0, 2); se ~ normal(0, 2); z ~ normal(0, 1);
  for (i in 1:N) y[i] ~ normal(mu + sa * z[g[i]], se); }`

// grouped draws data for it: means with standard deviation 1.3 around 1.6, residuals 0.6.
func grouped(seed uint64, groups int) map[string]any {
	r := rand.New(rand.NewPCG(seed, 0))
	var g []int
	var y []float64
	for j := range groups {
		theta := 1.6 + 1.3*r.NormFloat64()
		for range 4 {
			g, y = append(g, j+1), append(y, theta+0.6*r.NormFloat64())
		}
	}
	return map[string]any{"J": groups, "N": len(y), "g": g, "y": y}
}

// TestFactorsWithoutWeights holds coordinate ascent to say nothing of evidence, divergences and
// mutual information where the importance weights that they would come from cannot be used: they
// cannot see what the factors lack, so that all errors are towards good.
func TestFactorsWithoutWeights(t *testing.T) {
	unusable := 0
	for seed := range uint64(6) {
		fit := fitBy(t, boundTo(t, noncentred, grouped(seed, 5+int(seed))), `cavi(draws = 400, check = "none")`, seed+1)
		factors, information := found(fit, "factors"), found(fit, "mutual_information")
		if fit.Posterior.Fit.ParetoK <= 0.7 {
			continue
		}
		unusable++
		if factors.Severity != diagnose.None || strings.Contains(factors.Meaning, "evidence is") || information.Severity == diagnose.Good {
			t.Errorf("seed %d, k %.2f: %s %s; %s %s", seed, fit.Posterior.Fit.ParetoK, factors.Severity, factors.Meaning, information.Severity, information.Meaning)
		}
	}
	if unusable < 3 {
		t.Errorf("the weights cannot be used in %d of 6 fits", unusable)
	}
}

// TestImproperFactors has improper posteriors whose factors exist, or seem to: none has an
// evidence or a good word about its factors.
func TestImproperFactors(t *testing.T) {
	for _, c := range []struct {
		text string
		data map[string]any
	}{
		{"parameters { real mu; real x; } model { x ~ normal(mu, 1); }", nil},
		{"parameters { real mu; real x; } model { target += -square(x - 2 * mu); }", nil},
		{"data { vector[3] y; } parameters { real a; real b; } model { y ~ normal(a + b, 1); }", map[string]any{"y": []float64{1, 2, 0}}},
		{"data { int N; vector[N] y; } parameters { real mu; real<lower=0> tau; } model { y ~ normal(mu, inv_sqrt(tau)); }", map[string]any{"N": 1, "y": []float64{1}}},
	} {
		m := boundTo(t, c.text, c.data)
		how, err := m.Program.Method("cavi()")
		if err != nil {
			t.Fatal(err)
		}
		fit, err := m.Run(t.Context(), how, RunOptions{Seed: 1})
		if err != nil {
			if !strings.Contains(err.Error(), "improper") {
				t.Errorf("%s: %v", c.text, err)
			}
			continue
		}
		if f := found(fit, "improper"); f.Severity != diagnose.Bad && f.Severity != diagnose.Warning {
			t.Errorf("%s: the posterior is not called improper: %+v", c.text, fit.Findings)
		}
		for _, name := range []string{"factors", "mutual_information"} {
			if f := found(fit, name); f.Severity == diagnose.Good || strings.Contains(f.Meaning, "evidence is") {
				t.Errorf("%s: %s %s", c.text, f.Severity, f.Meaning)
			}
		}
	}
}

// TestFactorsOfVectors has a vector and a scale: quadrature runs over the scale alone, and that the
// vector has several numbers is not taken for an improper posterior. Given tau the observations
// are normal with covariance 4 X X' + I/tau, so that the evidence is an integral over tau.
func TestFactorsOfVectors(t *testing.T) {
	a, b := 1.2, -0.4
	var evidence float64
	const h = 1e-3
	for u := -12 + h/2; u < 5; u += h { // log tau
		tau := math.Exp(u)
		p, q, r := 8+1/tau, 4.0, 4+1/tau // the covariance
		det := p*r - q*q
		lp := math.Log(4*tau) - 2*tau + u // gamma(2, 2), and the Jacobian
		lp -= (r*a*a-2*q*a*b+p*b*b)/(2*det) + math.Log(2*math.Pi) + math.Log(det)/2
		evidence += h * math.Exp(lp)
	}
	fit := fitBy(t, boundTo(t, `data { vector[2] y; matrix[2, 2] X; } parameters { vector[2] b; real<lower=0> tau; }
model { b ~ normal(0, 2); tau ~ gamma(2, 2); y ~ normal(X * b, inv_sqrt(tau)); }`, map[string]any{"y": []float64{a, b}, "X": [][]float64{{1, 1}, {0, 1}}}), `cavi(check = "none")`, 1)
	want := fmt.Sprintf("the log evidence is %.5g", math.Log(evidence))
	if f := found(fit, "factors"); len(fit.Posterior.Duality.Factors) != 2 || !strings.Contains(f.Meaning, want) || found(fit, "improper").Name != "" {
		t.Errorf("%d factors, %s; found %+v", len(fit.Posterior.Duality.Factors), want, fit.Findings)
	}
}

// TestWordsOfFactors holds findings to what they advise, and to numbers that mean something.
func TestWordsOfFactors(t *testing.T) {
	const jointly = "jointly normal"
	for name, c := range map[string]struct {
		text, method string
		data         map[string]any
		finding      string
		has, lacks   string
	}{
		"an evidence of zero": {
			"parameters { vector[2] x; } model { x[1] ~ normal(0, 1); x[2] ~ normal(x[1], 1); }", `cavi(blocks = "joint")`, nil, "factors", "the log evidence is 0, by quadrature", "e-",
		},
		"a bound of zero": {
			"parameters { vector[3] x; } model { x[1] ~ normal(0, 1); x[2] ~ normal(x[1], 3); x[3] ~ normal(x[2], 7); }", `cavi()`, nil, "elbo", "bound is 0,", "e-",
		},
		"one block": {
			"parameters { vector[2] x; } model { x[1] ~ normal(0, 1); x[2] ~ normal(x[1], 1); }", "gibbs()", nil, "mutual_information", "one block", "little",
		},
		"two normals that are not jointly so": {
			"parameters { real x; real y; } model { target += -0.2 * square(x * y - 4) - 0.02 * square(x) - 0.02 * square(y); }", "cavi()", nil, "mutual_information", "Sample with", jointly,
		},
		"two that are": {
			"parameters { real x; real y; } model { x ~ normal(0, 3); y ~ normal(x, 0.5); }", "cavi()", nil, "mutual_information", jointly, "",
		},
		"two in one factor": {
			"parameters { real x; real y; real<lower=0> s; } model { s ~ gamma(0.5, 1); x ~ normal(0, inv_sqrt(s)); y ~ normal(x, inv_sqrt(s)); }", `cavi(blocks = "joint")`, nil, "mutual_information", "Sample with", jointly,
		},
		"two in one factor, and a scale": {
			"parameters { real x; real y; real<lower=0> s; } model { s ~ gamma(3, 1); x ~ normal(0, inv_sqrt(s)); y ~ normal(x, inv_sqrt(s)); }", `cavi(blocks = "joint")`, nil, "factors", "evidence is 0,", jointly,
		},
		"a funnel": {
			"parameters { real v; vector[3] x; } model { v ~ normal(0, 2); x ~ normal(0, exp(v / 2)); }", "cavi()", nil, "factors", "Sample with", jointly,
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := found(fitBy(t, boundTo(t, c.text, c.data), c.method[:len(c.method)-1]+map[bool]string{true: `check = "none")`, false: `, check = "none")`}[strings.HasSuffix(c.method, "()")], 1), c.finding)
			if text := f.Meaning + " " + f.Remedy; !strings.Contains(text, c.has) || c.lacks != "" && strings.Contains(text, c.lacks) {
				t.Errorf("%s: %s %s", f.Name, f.Severity, text)
			}
		})
	}
}

// TestLaplaceNamesWhatConverged: an optimiser that was stopped has not converged by that.
func TestLaplaceNamesWhatConverged(t *testing.T) {
	fit := fitBy(t, boundTo(t, "parameters { vector[2] x; } model { x ~ multi_normal([0.5, -1]', [[1.5, 1.4], [1.4, 1.5]]); }", nil), `laplace(iterations = 1, check = "none")`, 1)
	if f := found(fit, "optimiser"); f.Severity != diagnose.Good || !strings.Contains(f.Meaning, "Newton's method from there reach the mode") {
		t.Errorf("%s: %s", f.Severity, f.Meaning)
	}
}

// TestLossesAreNamed lists the losses where a text stands for one.
func TestLossesAreNamed(t *testing.T) {
	p, err := Compile("m.ppl", "data { vector[3] y; } parameters { real mu; } model { mu ~ normal(0, 1); y ~ normal(mu, 1); }", Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err = p.Method(`gvi(loss = "robust")`); err == nil || !strings.Contains(ErrorText(err), "there are ") || !strings.Contains(ErrorText(err), "beta") {
		t.Errorf("error %v", err)
	}
}

// TestWidthsOfSlices has what a sweep learned in its record: widths where there are slices,
// nothing that looks like the step size and the metric of another method.
func TestWidthsOfSlices(t *testing.T) {
	for text, slices := range map[string]int{
		"parameters { real x; real<lower=0> s; } model { s ~ gamma(2, 2); x ~ normal(0, s); }": 1,
		"parameters { real x; real y; } model { x ~ normal(0, 1); y ~ normal(x, 1); }":         0,
		"parameters { vector[3] x; } model { x ~ student_t(4, 0, 1); }":                        3,
	} {
		a := fitBy(t, boundTo(t, text, nil), `gibbs(check = "none")`, 1).Posterior.Chains[0].Adaptation
		positive := 0
		for _, w := range a.Widths {
			if w > 0 {
				positive++
			}
		}
		if positive != slices || a.StepSize != 0 || a.MetricType != "" || len(a.InvMetric) > 0 {
			t.Errorf("%s: %+v, of %d slices", text, a, slices)
		}
	}
}

// TestBrokenSticks has the lengths of broken sticks written as products and as sums of
// logarithms, and the density of their proportions by name and by its kernel: one model, with
// one set of factors and one bound.
func TestBrokenSticks(t *testing.T) {
	const products = `vector[3] w; { real left = 1; for (k in 1:2) { w[k] = left * v[k]; left *= 1 - v[k]; } w[3] = left; }`
	const logs = `vector[3] w; { real left = 0; for (k in 1:2) { w[k] = left + log(v[k]); left += log1m(v[k]); } w[3] = left; }`
	const quotients = `vector[3] w = [v[1], (1 - v[1]) * v[2], (1 - v[1]) * (1 - v[2])]';`
	const named, kernel = "v ~ beta(1, alpha);", "for (k in 1:2) target += log(alpha) + (alpha - 1) * log1m(v[k]);"
	const drawn, added = "z ~ categorical(w);", "for (n in 1:N) target += w[z[n]];"
	var first float64
	for i, c := range [][3]string{
		{logs, kernel, added}, {products, kernel, drawn}, {products, named, drawn}, {quotients, named, drawn}, {logs, named, added},
		{products, named, "for (n in 1:N) target += log(w[z[n]]);"},
	} {
		fit := fitBy(t, boundTo(t, `data { int N; vector[N] y; } parameters { vector<lower=0, upper=1>[2] v; real<lower=0> alpha; vector[3] mu; array[N] int<lower=1, upper=3> z; }
transformed parameters { `+c[0]+` }
model { alpha ~ gamma(2, 2); mu ~ normal(0, 3); for (n in 1:N) y[n] ~ normal(mu[z[n]], 0.7); `+c[1]+c[2]+" }",
			map[string]any{"N": 5, "y": []float64{-2.442, -3.233, -1.486, 1.55, 0.973}}), `cavi(draws = 50, check = "none")`, 3)
		elbo := fit.Posterior.Fit.ELBO.Value
		if i == 0 {
			first = elbo
		}
		forms := map[string]string{}
		for _, f := range fit.Posterior.Duality.Factors {
			forms[f.Name] = f.Form
		}
		if !(math.Abs(elbo-first) < 1e-6) || forms["v[1]"] != "beta" || forms["alpha"] != "gamma" {
			t.Errorf("%q: bound %.8f, that of the first form %.8f; factors %v", c, elbo, first, forms)
		}
	}
}
