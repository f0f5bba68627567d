package lang

// This file tests what is said of right fits whose tails are heavy, and of narrow modes.

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/diagnose"
	"github.com/seed-12b88e03/ppl/infer/infertest/subset"
)

// TestHeavyTailsAreNotRefuted: standard deviations of a handful of points in a tail, or ones that do not exist, have nothing
// to do with each other. Answers whose quantiles are the exact ones are not called bad for theirs (9 of these
// 32 were), nor is smc recommended beside smc.
func TestHeavyTailsAreNotRefuted(t *testing.T) {
	for _, c := range []struct {
		prior  string
		median float64
	}{
		{"lognormal(0, 4)", 1}, {"cauchy(0, 1)", 1}, {"inv_gamma(1, 1)", 1 / math.Ln2}, {"pareto_type_2(0, 1, 1.2)", math.Pow(2, 1/1.2) - 1},
	} {
		m := mustBind(t, "parameters { real<lower=0> y; } model { y ~ "+c.prior+"; }", nil)
		for _, text := range []string{"nuts()", "smc(nuts())"} {
			method, err := m.Program.Method(text)
			if err != nil {
				t.Fatal(err)
			}
			for seed := uint64(1); seed <= 4; seed++ {
				fit, err := m.Run(t.Context(), method, RunOptions{Seed: seed, Jobs: 2})
				if err != nil {
					t.Fatal(err)
				}
				for _, s := range fit.Summaries {
					if s.Name == "y" && math.Abs(math.Log(s.Q50/c.median)) > 0.8 { // a fifth of the scale of the widest
						t.Errorf("%s by %s, seed %d: median %g, want %g", c.prior, text, seed, s.Q50, c.median)
					}
				}
				for _, f := range fit.Findings {
					if f.Severity == diagnose.Bad || text == "smc(nuts())" && strings.Contains(f.Remedy, "smc(nuts())") {
						t.Errorf("%s by %s, seed %d: %s: %s %s", c.prior, text, seed, f.Severity, f.Meaning, f.Remedy)
					}
				}
			}
		}
	}
}

// TestFunnelIsNoLabelSwitching: the elements of z can be exchanged, and the draws go through all orders; what is computed from
// them has tails that few points tell. 2 of these 4 fits were warned of.
func TestFunnelIsNoLabelSwitching(t *testing.T) {
	m := mustBind(t, `parameters { real v; vector[5] z; } transformed parameters { vector[5] x = z * exp(v / 2); }
model { v ~ normal(0, 3); z ~ normal(0, 1); }`, nil)
	method, err := m.Program.Method("nuts()")
	if err != nil {
		t.Fatal(err)
	}
	for seed := uint64(1); seed <= 4; seed++ {
		fit, err := m.Run(t.Context(), method, RunOptions{Seed: seed, Jobs: 2})
		if err != nil {
			t.Fatal(err)
		}
		if p := fit.Posterior.Population; len(p.Exchanged) > 0 || diagnose.Worst(fit.Findings) == diagnose.Warning || diagnose.Worst(fit.Findings) == diagnose.Bad {
			t.Errorf("seed %d: %s, exchanged %v", seed, diagnose.Worst(fit.Findings), p.Exchanged)
		}
	}
}

// TestNarrowModes: half of the mass of three parameters is at 4 within 0.1, which no point of a small population is
// near, and a start of a climb seldom. Starts that the mode at -4 explains are left after one evaluation: before, 7 of 16
// seeds missed the other mode, and were called good.
func TestNarrowModes(t *testing.T) {
	m := mustBind(t, `parameters { vector[3] theta; }
model { theta ~ normal(0, 5); target += log_mix(0.5, normal_lpdf(theta | -4, 1), normal_lpdf(theta | 4, 0.1)); }`, nil)
	method, err := m.Program.Method("laplace()")
	if err != nil {
		t.Fatal(err)
	}
	good := 0
	for seed := uint64(1); seed <= 8; seed++ {
		fit, err := m.Run(t.Context(), method, RunOptions{Seed: seed, Jobs: 2})
		if err != nil {
			t.Fatal(err)
		}
		if diagnose.Worst(fit.Findings) == diagnose.Good {
			good++
		}
	}
	if good > 1 {
		t.Errorf("%d of 8 answers that lack half of the mass are called good", good)
	}
}

// TestNarrowModesOfMixtures: half of the mass of five to nine parameters is at 5 within 0.1, which no start of a climb is near; a climb
// on the branch of the mixture ends there. Before, every one of these was called good.
func TestNarrowModesOfMixtures(t *testing.T) {
	for name, text := range map[string]string{
		"log_mix":     "target += log_mix(0.5, std_normal_lpdf(x), normal_lpdf(x | 5, 0.1));",
		"log_sum_exp": "target += log_sum_exp(log(0.5) + normal_lpdf(x | 0, 1), log(0.5) + normal_lpdf(x | 5, 0.1));",
		"function":    "target += two(x);",
	} {
		for d, methods := range map[int][]string{5: {"laplace()", "nuts()", "advi()"}, 9: {"laplace()"}} {
			m := mustBind(t, fmt.Sprintf(`functions { real two(vector x) { return log_mix(0.5, normal_lpdf(x | 0, 1), normal_lpdf(x | 5, 0.1)); } }
parameters { vector[%d] x; } model { %s }`, d, text), nil)
			for _, method := range methods {
				fit, err := runExpr(t, m, method)
				if err != nil {
					t.Fatal(ErrorText(err))
				}
				if worst := diagnose.Worst(fit.Findings); worst != diagnose.Bad {
					t.Errorf("%s, %d parameters, %s: %s", name, d, method, worst)
				}
			}
		}
	}
}

// TestCrossing: two long normals at right angles have one centre, so that no other mode tells the arm that a fit lacks. Before, a
// population from a normal as wide as the fit had that arm alone, too, and called it good.
func TestCrossing(t *testing.T) {
	m := mustBind(t, `parameters { vector[4] x; }
model { target += log_mix(0.7, normal_lpdf(x | 0, [3.6, 0.03, 3.6, 0.03]'), normal_lpdf(x | 0, [0.03, 3.6, 0.03, 3.6]')); }`, nil)
	for _, method := range []string{"gvi()", "advi()", "fvi()"} {
		fit, err := runExpr(t, m, method)
		if err != nil {
			t.Fatal(ErrorText(err))
		}
		if worst := diagnose.Worst(fit.Findings); worst != diagnose.Bad {
			t.Errorf("%s: %s", method, worst)
		}
	}
}

// TestNarrowBumps: nearly all of the mass is in a narrow bump that is not written as a branch of a mixture. Its exponent rises towards it
// from everywhere, and a climb on that ends there. Before, answers without it were called good.
func TestNarrowBumps(t *testing.T) {
	for name, text := range map[string]string{
		"target":      "target += 60 * exp(-dot_self(x - c) / 0.05);",
		"logarithm":   "target += log1p(1e14 * exp(-squared_distance(x, c) / 0.2));",
		"function":    "target += bump(x, c);",
		"loop":        "real r = 0; for (i in 1:num_elements(x)) r += square(x[i] - c[i]); target += 60 * inv_logit(5 - 200 * r);",
		"transformed": "target += f;",
	} {
		for _, d := range []int{3, 5, 8} {
			m := mustBind(t, fmt.Sprintf(`functions { real bump(vector x, vector c) { return 60 * exp(-squared_distance(x, c) / 0.05); } }
parameters { vector[%[1]d] x; }
transformed parameters { vector[%[1]d] c = rep_vector(2, %[1]d); real f = 0; %[2]s }
model { x ~ normal(0, 1); %[3]s }`, d, map[bool]string{true: "f = 60 * Phi(3 - squared_distance(x, c) * 100);"}[name == "transformed"], text), nil)
			for _, method := range []string{"laplace()", "nuts()", "advi()"} {
				fit, err := runExpr(t, m, method)
				if err != nil {
					t.Fatal(ErrorText(err))
				}
				if worst := diagnose.Worst(fit.Findings); worst == diagnose.Good && fit.Summaries[1].Mean < 1 { // x.1, after lp__
					t.Errorf("%s, %d parameters, %s: %s", name, d, method, worst)
				}
			}
		}
	}
}

// TestModesOfIntervals: a mode of the prior is not the highest where two comparisons hold in one coordinate or in three. A population has
// few lineages there, and before no climb was made from its points: the mode was called good.
func TestModesOfIntervals(t *testing.T) {
	for name, text := range map[string]string{
		"and":     "for (i in 1:d) { if (x[i] > 2.2 && x[i] < 2.3) y ~ normal(9, 1); else y ~ normal(0, 1); }",
		"nested":  "for (i in 1:d) { real m = 0; if (x[i] > 2.2) { if (x[i] < 2.3) m = 9; } y ~ normal(m, 1); }",
		"product": "for (i in 1:d) { y ~ normal(9 * (x[i] > 2.2) * (x[i] < 2.3), 1); }",
		"choice":  "for (i in 1:d) { y ~ normal(x[i] < 2.2 ? 0 : x[i] < 2.3 ? 9 : 0, 1); }",
	} {
		for _, d := range []int{1, 3} {
			m := mustBind(t, "data { int d; real y; } parameters { vector[d] x; } model { x ~ std_normal(); "+text+" }", map[string]any{"d": d, "y": 9.0})
			fit, err := runExpr(t, m, "map()")
			if err != nil {
				t.Fatal(ErrorText(err))
			}
			if worst := diagnose.Worst(fit.Findings); worst == diagnose.Good && fit.Summaries[1].Mean < 1 { // x.1, after lp__
				t.Errorf("%s, %d coordinates: %s", name, d, worst)
			}
		}
	}
}

// TestGridIsNotSummed: a grid of integers is summed out over tables each of which is possible; together they are not. A search for other
// answers of a fit by gibbs filled the memory with them.
func TestGridIsNotSummed(t *testing.T) {
	m := mustBind(t, `parameters { array[20, 20] int<lower=0, upper=1> s; real<lower=0, upper=1> b; }
model { for (i in 1:20) for (j in 1:20) { if (i < 20) target += b * (s[i, j] == s[i + 1, j]); if (j < 20) target += b * (s[i, j] == s[i, j + 1]); } }`, nil)
	if _, err := runExpr(t, m, "nuts(draws = 1)"); err == nil || !strings.Contains(ErrorText(err), "in all") {
		t.Errorf("nuts: %v", err)
	}
	if _, err := runExpr(t, m, "gibbs(warmup = 20, draws = 20)"); err != nil {
		t.Error(ErrorText(err))
	}
}

// TestDiscreteParametersAlone: the posterior of integers is far from their prior, at one place. Chains of mh do not get there, and were
// called good, for a density without continuous parameters was not searched; right answers are not bad.
func TestDiscreteParametersAlone(t *testing.T) {
	m := mustBind(t, `data { vector[2] y; } parameters { array[2] int<lower=0, upper=100> k; }
model { k ~ poisson(3.5); for (n in 1:2) y[n] ~ normal(30 * exp(-square((k[n] - 30.2) / 0.5)), 0.3); }`, map[string]any{"y": []float64{27, 26}})
	spread := mustBind(t, `parameters { array[2] int<lower=0, upper=6> k; } model { k ~ poisson(2); 5 ~ normal(k[1] + k[2], 1); }`, nil)
	for method, want := range map[string]diagnose.Severity{"mh()": diagnose.Bad, "gibbs()": diagnose.Good, "advi()": diagnose.Good} {
		fit, err := runExpr(t, m, method)
		if err != nil {
			t.Fatal(ErrorText(err))
		}
		if got := fit.Posterior.Population; got == nil || want == diagnose.Bad && diagnose.Worst(fit.Findings) != diagnose.Bad {
			t.Errorf("%s: %v, %v", method, diagnose.Worst(fit.Findings), got)
		}
		for _, model := range []*Model{m, spread} {
			if want == diagnose.Bad && model == m {
				continue
			}
			fit, err := runExpr(t, model, method)
			if err != nil {
				t.Fatal(ErrorText(err))
			}
			if d := fit.Findings; diagnose.Worst(d) == diagnose.Bad {
				t.Errorf("%s of a right answer: %v", method, d)
			}
		}
	}
}

// TestTailOfNoRate: where rate times scale of exp_mod_normal underflows, its tail is evaluated, and ends.
func TestTailOfNoRate(t *testing.T) {
	m := mustBind(t, "parameters { real a; } model { target += exp_mod_normal_lccdf(0.5 | a, 1e-170, 1e-170); }", nil)
	q, grad := []float64{0}, []float64{0}
	if _, err := m.bound.NewEvaluator().LogDensityGrad(q, grad); err != nil {
		t.Log(err) // it may be rejected
	}
}

// TestBumpsInLikelihoods: a narrow bump is inside the location, the rate, the probability or the scale of data, written as an exponential, a
// quotient, a step or a kink. All of the mass is in it. Before, answers without it were called good: the search did not find steps and
// quotients, nor bumps where what is under them must be positive, and a population from modes gave way to one from the prior.
func TestBumpsInLikelihoods(t *testing.T) {
	data := map[string]any{"y": []float64{8, 8.1}, "k": []int{21, 20}, "z": []int{1, 1, 1, 1, 1, 1, 1, 1, 1}, "v": []float64{0.01, 0.02, 0.02, 0.01, -0.02, 0.01, 0.03, -0.02}}
	bumps := map[string]string{"exponential": "exp(-u)", "quotient": "1 / (1 + u)", "power": "(1 + u)^(-2)", "step": "(u < 1 ? 1.0 : 0.0)", "kink": "fmax(0, 1 - u)", "function": "bump(t)"}
	for name, text := range map[string]string{
		"location": "y ~ normal(8 * %[1]s, 0.7);", "rate": "k ~ poisson(0.1 + 20 * %[1]s);", "probability": "z ~ bernoulli(0.02 + 0.97 * %[1]s);",
		"scale": "v ~ normal(0, 3 * exp(-5 * %[1]s));", "condition": "if (u < 1 && t[1] > 0) y ~ normal(8, 0.7); else y ~ normal(0, 0.7);",
		"function": "if (flat(t) > 0.3) y ~ normal(8, 0.7); else y ~ normal(0, 0.7);",
	} {
		for kind, bump := range bumps {
			for _, u := range []string{"squared_distance(t, [2, -1, 1]') / 0.03", "((t[1] - 2) * (t[1] - 2) + (t[2] + 1)^2 + (t[3] - 1) * (t[3] - 1)) / 0.03"} {
				if !subset.Has(name+kind+u, 4) {
					continue
				}
				text := text
				if strings.Contains(text, "%[1]s") {
					text = fmt.Sprintf(text, bump)
				}
				m := mustBind(t, fmt.Sprintf(`functions { real bump(vector t) { real u = squared_distance(t, [2, -1, 1]') / 0.03; return exp(-u); }
  real flat(vector t) { return inv(1 + square(squared_distance(t, [2, -1, 1]') / 0.06)); } }
data { vector[2] y; array[2] int k; array[9] int z; vector[8] v; }
parameters { vector[3] t; } model { real u = %s; t ~ normal(0, 1); %s }`, u, text), data)
				fit, err := runExpr(t, m, "laplace()")
				if err != nil {
					t.Fatal(ErrorText(err))
				}
				if worst := diagnose.Worst(fit.Findings); worst == diagnose.Good && fit.Summaries[1].Mean < 1 { // t.1, after lp__
					t.Errorf("%s, %s, u = %s: %s", name, kind, u, worst)
				}
			}
		}
	}
}
