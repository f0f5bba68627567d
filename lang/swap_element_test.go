package lang

// This file tests new priors of some elements of a parameter, and what is refused.

import (
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/diagnose"
	"github.com/seed-12b88e03/ppl/infer/infertest/subset"
)

// TestSwapOfElements: independent elements with normal likelihood, so that the posterior
// of each is normal: precision 1/s^2 + 1, mean y / precision, s being 1 for elements 1 and
// 4 and the new 0.5 for elements 2 and 3. All ways to write the old prior give the same.
func TestSwapOfElements(t *testing.T) {
	data := map[string]any{"J": 4, "two": 2, "y": []float64{1, 2, -1, 3}, "one": []float64{1, 1, 1, 1}}
	const given = "data { int J; int two; vector[J] y; vector[J] one; } parameters { vector[J] b; } model { "
	for name, model := range map[string]string{
		"vectorised":      "b ~ normal(0, one);",
		"a loop":          "for (j in 1:J) b[j] ~ normal(0, one[j]);",
		"one by one":      "b[1] ~ normal(0, 1); b[2] ~ normal(0, 1); b[3] ~ std_normal(); b[4] ~ normal(0, 1);",
		"added to target": "target += normal_lpdf(b | 0, 1);",
		"joint":           "for (j in 1:2) b[j] ~ normal(0, 1); for (j in 3:J) target += normal_lpdf(b[j] | 0, one[j]);",
	} {
		for _, new := range []string{"b[2] ~ normal(0, 0.5); b[3] ~ normal(0, 0.5);", "b[2:3] ~ normal(0, 0.5);",
			"b[two] ~ normal(0, 0.5); b[3] ~ normal(0, 0.5);", "b[two:J - 1] ~ normal(0, 0.5);", "b[two] ~ normal(0, 0.5); b[two + 1:3] ~ normal(0, 0.5);"} {
			if !subset.Has(name+new, 3) {
				continue
			}
			m := mustBind(t, given+model+" y ~ normal(b, 1); }", data)
			p := runSwap(t, m, "prior_swap(laplace()) { "+new+" }")
			shift, ratio, mcse := off(t, p, "b", []float64{0.5, 0.4, -0.2, 1.5}, []float64{0.5, 0.2, 0.2, 0.5})
			if shift > 5*mcse || ratio > 0.12 {
				t.Errorf("%s, %s means off by %.3f sd (error %.3f), sds by %.3f", name, new, shift, mcse, ratio)
			}
		}
	}
}

// TestSwapOfMatrices: a matrix gets a new prior of its elements by to_vector. With normal likelihood
// each element is normal: precision 1/s^2 + 1, here 5, mean y / 5.
func TestSwapOfMatrices(t *testing.T) {
	m := mustBind(t, "data { matrix[2, 2] y; } parameters { matrix[2, 2] b; } model { to_vector(b) ~ normal(0, 1); to_vector(y) ~ normal(to_vector(b), 1); }",
		map[string]any{"y": [][]float64{{1, 2}, {-1, 3}}})
	p := runSwap(t, m, "prior_swap(laplace()) { to_vector(b) ~ normal(0, 0.5); }")
	for name, mean := range map[string]float64{"b.1.1": 0.2, "b.2.1": -0.2, "b.1.2": 0.4, "b.2.2": 0.6} {
		if shift, ratio, mcse := off(t, p, name, []float64{mean}, []float64{0.2}); !(shift < 5*mcse && ratio < 0.12) {
			t.Errorf("%s: mean off by %.3f sd (error %.3f), sd by %.3f", name, shift, mcse, ratio)
		}
	}
	for text, says := range map[string]string{
		"to_vector(y) ~ normal(0, 1);":                              "a new prior is for a parameter",
		"to_vector(exp(b)) ~ normal(0, 1);":                         "whole parameters",
		"to_vector(b ~ normal(0, 1);":                               "expected \")\"",
		"to_vector(b) ~ std_normal(); to_vector(b) ~ std_normal();": "two new priors",
	} {
		if _, err := m.Program.Method("prior_swap(nuts()) { " + text + " }"); err == nil || !strings.Contains(ErrorText(err), says) {
			t.Errorf("%s: want an error with %q, found %v", text, says, err)
		}
	}
}

// TestSwapOfTheLastElement: nothing is left beyond it. The model under the new prior
// simulates, too.
func TestSwapOfTheLastElement(t *testing.T) {
	m := mustBind(t, "data { vector[2] y; } parameters { vector[2] b; } model { b ~ normal(0, 1); y ~ normal(b, 1); }", map[string]any{"y": []float64{1, 2}})
	const swap = "prior_swap(laplace()) { b[2] ~ normal(3, 0.1); }"
	p := runSwap(t, m, swap)
	shift, ratio, mcse := off(t, p, "b", []float64{0.5, (300 + 2) / 101.}, []float64{0.5, 1 / 101.})
	if shift > 5*mcse || ratio > 0.12 {
		t.Errorf("means off by %.3f sd (error %.3f), sds by %.3f", shift, mcse, ratio)
	}
	method, err := m.Program.Method("gibbs_prior(prior_swap(laplace(), with = nuts(chains = 1, warmup = 150, draws = 20)) { b[2] ~ normal(3, 0.1); }, steps = 100, chains = 2)")
	if err != nil {
		t.Fatal(ErrorText(err))
	}
	fit, err := m.Run(t.Context(), method, RunOptions{Seed: 2})
	if err != nil {
		t.Fatal(ErrorText(err))
	}
	shift, ratio, mcse = off(t, fit.Posterior, "b", []float64{0, 3}, []float64{1, 0.01})
	t.Logf("prior of an exact method: means off by %.3f sd (error %.3f), sds by %.3f", shift, mcse, ratio)
	if shift > 5*mcse || ratio > 0.25 {
		t.Errorf("prior of an exact method: means off by %.3f sd (error %.3f), sds by %.3f", shift, mcse, ratio)
	}
}

// TestSwapRefuses lists exchanges that cannot be told from the program. They are errors
// of the program, before there are data.
func TestSwapRefuses(t *testing.T) {
	for name, c := range map[string]struct{ model, swap, says string }{
		"joint prior":          {"beta ~ multi_normal(zeros_vector(2), identity_matrix(2));", "beta[1] ~ normal(0, 2);", "cannot be taken from some of its elements: it is a joint one of all elements"},
		"a reversed vector":    {"reverse(beta) ~ normal(0, 1);", "beta[1] ~ normal(0, 2);", "of several elements in another order"},
		"a drawn place":        {"beta ~ normal(0, 1); k ~ poisson(2);", "beta[k] ~ normal(0, 2);", "at places that do not depend on parameters"},
		"an element twice":     {"beta ~ normal(0, 1);", "beta[1] ~ normal(0, 2); beta[1:2] ~ normal(0, 3);", "beta[1] has two new priors"},
		"all and some":         {"beta ~ normal(0, 1);", "beta[1] ~ normal(0, 2); beta ~ normal(0, 3);", "has two new priors"},
		"not a density":        {"target += -square(beta[1]);", "beta ~ normal(0, 2);", "cannot be told"},
		"a transformed one":    {"real l = log(s); l ~ normal(0, 1); target += -l;", "s ~ exponential(3);", "cannot be told"},
		"its Jacobian":         {"real l = log(s); target += normal_lpdf(0 | 0, 1) - l;", "s ~ exponential(3);", "cannot be told"},
		"an expression":        {"log(s) ~ normal(0, 1);", "s ~ exponential(3);", "cannot be told"},
		"a function":           {"target += own(s, 2);", "s ~ exponential(3);", "cannot be told"},
		"a function that adds": {"own_lp(s);", "s ~ exponential(3);", "cannot be told"},
		"a sum":                {"real lp = 0; lp += exponential_lpdf(s | 1); target += lp;", "s ~ exponential(3);", "cannot be told"},
		"a mixture":            {"target += log_mix(0.5, normal_lpdf(beta | 0, 1), normal_lpdf(beta | 0, 9));", "beta ~ normal(0, 2);", "cannot be told"},
		"several parameters":   {"append_row(beta, gamma) ~ normal(0, 1);", "gamma ~ normal(0, 2);", "the prior of swapped parameters and of others"},
	} {
		const vars = "functions { real own(real s, real r) { return -s * r; } void own_lp(real s) { s ~ exponential(1); } } " +
			"parameters { vector[2] beta; vector[2] gamma; int<lower=0, upper=9> k; real<lower=0> s; } model { "
		_, err := Compile("model", vars+c.model+" } inference { fit = nuts(); other = prior_swap(fit) { "+c.swap+" } diagnose sbc(other); }", Options{})
		if err == nil || !strings.Contains(ErrorText(err), c.says) || strings.Count(ErrorText(err), c.says) != 1 {
			t.Errorf("%s, in the program: %v does not say %q once", name, err, c.says)
		}
		p, err := Compile("model", vars+c.model+" }", Options{})
		if err != nil {
			t.Fatal(ErrorText(err))
		}
		if _, err := p.Method("prior_swap(nuts()) { " + c.swap + " }"); err == nil || !strings.Contains(ErrorText(err), c.says) {
			t.Errorf("%s: %v does not say %q", name, err, c.says)
		}
	}
}

// TestSwapTakesLikelihood: what depends on data stays, however it is written.
func TestSwapTakesLikelihood(t *testing.T) {
	for _, likelihood := range []string{
		"y ~ normal(mu, s);",
		"target += normal_lpdf(y | mu, s);",
		"for (n in 1:4) target += log_mix(0.5, normal_lpdf(y[n] | mu, s), normal_lpdf(y[n] | mu, s));",
		"target += ll(y, mu, s);",
		"ll_lp(y, mu, s);",
		"target += sum(l);",
		"real lp = 0; lp += ll(y, mu, s); target += lp;",
	} {
		p, err := Compile("model", `
functions {
  real ll(vector y, real mu, real s) { return normal_lpdf(y | mu, s); }
  void ll_lp(vector y, real mu, real s) { y ~ normal(mu, s); }
}
data { vector[4] y; real m0; }
parameters { real mu; real<lower=0> s; }
transformed parameters { vector[4] l; for (n in 1:4) l[n] = normal_lpdf(y[n] | mu, s); }
model { mu ~ normal(m0, 2); s ~ lognormal(0, 1); `+likelihood+" }", Options{})
		if err != nil {
			t.Fatal(ErrorText(err))
		}
		for _, swap := range []string{"s ~ exponential(3);", "mu ~ normal(m0, 1);"} {
			if _, err := p.Method("prior_swap(nuts()) { " + swap + " }"); err != nil {
				t.Errorf("%s: %s", likelihood, ErrorText(err))
			}
		}
	}
}

// TestSwapExactNeedsAForm: without a closed form there is no exact false posterior.
func TestSwapExactNeedsAForm(t *testing.T) {
	m := mustBind(t, "parameters { vector[2] beta; } model { beta ~ student_t(4, 0, 1); }", nil)
	method, err := m.Program.Method(`prior_swap(laplace(), from = "exact") { beta ~ normal(0, 2); }`)
	if err != nil {
		t.Fatal(ErrorText(err))
	}
	const says = "a normal on the unconstrained scale"
	if _, err = m.Run(t.Context(), method, RunOptions{Seed: 1}); err == nil || !strings.Contains(ErrorText(err), says) {
		t.Errorf("%v does not say %q", err, says)
	}
}

// TestSwapThereAndBack: two swaps give the closed form under the last prior. Of a normal
// fitted to draws that holds where the draws in between cover it; where they do not, the
// finding is bad, also that of a small step after a large one.
func TestSwapThereAndBack(t *testing.T) {
	m := mustBind(t, "data { vector[4] y; } parameters { real a; } model { a ~ normal(0, 1); y ~ normal(a, 1); }", map[string]any{"y": []float64{1, 2, 3, 4}})
	const parametric = `, from = "parametric"`
	for between, c := range map[string]struct {
		from, back     string
		want           diagnose.Severity
		mean, variance float64
	}{
		"normal(0.5, 1)":   {parametric, "normal(0, 1)", diagnose.Good, 2, 0.2},
		"student_t(3,0,1)": {parametric, "normal(0, 1)", diagnose.Good, 2, 0.2},
		"normal(30, 0.5)":  {parametric, "normal(0, 1)", diagnose.Bad, 2, 0.2},
		"normal(30, 0.51)": {parametric, "normal(30, 0.5)", diagnose.Bad, 16.25, 0.125},
		"normal(30,0.5)":   {"", "normal(0, 1)", diagnose.Good, 2, 0.2},
		"normal(30,0.51)":  {"", "normal(30, 0.5)", diagnose.Good, 16.25, 0.125},
	} {
		method, err := m.Program.Method("prior_swap(prior_swap(nuts()" + c.from + ") { a ~ " + between + "; }" + c.from + ") { a ~ " + c.back + "; }")
		if err != nil {
			t.Fatal(ErrorText(err))
		}
		fit, err := m.Run(t.Context(), method, RunOptions{Seed: 4, Jobs: 2})
		if err != nil {
			t.Fatal(ErrorText(err))
		}
		for _, f := range fit.Findings {
			if f.Name == "prior_swap" && f.Severity != c.want {
				t.Errorf("by %s: %s, should be %s: %s", between, f.Severity, c.want, f.Meaning)
			}
		}
		shift, ratio, mcse := off(t, fit.Posterior, "a", []float64{c.mean}, []float64{c.variance})
		t.Logf("by %s: mean off by %.3f sd (error %.3f), sd by %.3f", between, shift, mcse, ratio)
		if c.want == diagnose.Good && (shift > 5*mcse+0.1 || ratio > 0.12) {
			t.Errorf("by %s: mean off by %.3f sd (error %.3f), sd by %.3f", between, shift, mcse, ratio)
		}
	}
}
