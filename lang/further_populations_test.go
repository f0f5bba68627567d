package lang_test

// This file tests the populations that are made where the first one does not settle what is asked.

import (
	"math"
	"testing"

	"github.com/seed-12b88e03/ppl/diagnose"
)

// TestModeWithoutPosterior: given n normal observations and flat priors for mean and scale, the density s^-n exp(-S(mu)/2s^2) has
// its mode at the sample's mean and standard deviation for n >= 2, and falls in every direction. Over mu it is s^(1-n) for
// large s, whose integral is infinite for n = 2 and finite for n = 3: a mode of the former is warned of, whatever the seed, one of the latter is not.
func TestModeWithoutPosterior(t *testing.T) {
	for _, c := range []struct {
		y    []float64
		want []diagnose.Severity
	}{
		{[]float64{-0.56, 0.07}, []diagnose.Severity{diagnose.Warning}},
		{[]float64{-0.56, 0.07, 1.2}, []diagnose.Severity{diagnose.Good, diagnose.None}},
	} {
		for seed := range uint64(8) {
			fit := fitOf(t, "data { int N; vector[N] y; } parameters { real mu; real<lower=0> s; } model { y ~ normal(mu, s); }",
				map[string]any{"N": len(c.y), "y": c.y}, "map()", seed+1)
			got := diagnose.Worst(fit.Findings)
			if got != c.want[0] && got != c.want[len(c.want)-1] {
				t.Errorf("%d observations, seed %d: %s; want one of %s: %v", len(c.y), seed+1, got, c.want, fit.Findings)
			}
		}
	}
}

// TestPopulationThatLostTheAnswer: of seven scales one is about 13, where a student_t(4, 0, 1) has a thousandth of its mass; few points of a
// population from the prior begin there, and for seed 80001 it loses nine tenths of the posterior. By quadrature over each scale
// beta[1] has mean -5.580 and standard deviation 2.161: nuts, which has them, must not be called bad by it.
func TestPopulationThatLostTheAnswer(t *testing.T) {
	fit := fitOf(t, `data { int N; vector[N] y; } parameters { vector<lower=0>[N] lambda; vector[N] beta; }
model { beta ~ normal(0, 0.222 * lambda); lambda ~ student_t(4, 0, 1); y ~ normal(beta, 1.48); }`,
		map[string]any{"N": 7, "y": []float64{-7.84437, 2.50851, 2.49626, 2.3415, 0.162542, -4.55634, -0.206283}}, "nuts()", 80001)
	for _, s := range fit.Summaries {
		if s.Name == "beta.1" && (math.Abs(s.Mean+5.580) > 0.35*2.161 || math.Abs(math.Log(s.SD/2.161)) > math.Log(1.43)) {
			t.Errorf("beta[1] has mean %.3g and standard deviation %.3g", s.Mean, s.SD)
		}
	}
	if f, ok := finding(fit, "population"); !ok || f.Severity == diagnose.Bad || f.Severity == diagnose.Warning {
		t.Errorf("%+v", f)
	}
}

// TestEvidenceOfFlatIntegers: 17 kinds are seen among 20 of s, which is 17 to 500, each as probable. log p(y) is the logarithm of the mean of
// s!/(s - 17)!/s^21, -20.6898 by a sum over s. What is compared with it must not count values where it is to take their mean: that is log(484) = 6.2 nats.
func TestEvidenceOfFlatIntegers(t *testing.T) {
	fit := fitOf(t, "data { int n; int k; } parameters { int<lower=k, upper=500> s; } model { target += lgamma(s + 1) - lgamma(s - k + 1) - n * log(s) - log(s); }",
		map[string]any{"n": 20, "k": 17}, "smc(nuts())", 1)
	sum := 0.0
	for s := 17.0; s <= 500; s++ {
		a, _ := math.Lgamma(s + 1)
		b, _ := math.Lgamma(s - 16)
		sum += math.Exp(a - b - 21*math.Log(s))
	}
	if e := fit.Posterior.LogEvidence; e == nil || math.Abs(e.Value-math.Log(sum/484)) > 1e-6 {
		t.Errorf("log p(y) is %+v, want %.6f", e, math.Log(sum/484))
	}
	if f, ok := finding(fit, "other_evidence"); ok {
		t.Errorf("%+v", f)
	}
}

// TestPeaksInLogarithms: two thirds of the mass are within a twentieth of (1.1, -0.9, 1.2), where a normal prior of standard deviation 1 has a
// 500,000th of its own. However the peak is written, theta[1] has mean 0.733 and standard deviation 0.777, by the integrals over the
// peak of 1 - r^2, 1 - tanh(r^2), (1 + r^2)^-4 and 1, which are 1.6755, 3.013, 1.2337 and 4.1888 times its width cubed: an answer that is about the prior must not be good.
func TestPeaksInLogarithms(t *testing.T) {
	for _, term := range []string{
		"log1p(8.48e5 * fmax(0, 1 - r2 / 0.0025))", "log1p(4.716e5 * (1 - tanh(r2 / 0.0025)))", "log1p(1.152e6 * pow(1 + r2 / 0.0025, -4))",
		"log1p(1.152e6 / square(square(1 + r2 / 0.0025)))", "log_sum_exp(0, 13.957 - 4 * log1p(r2 / 0.0025))", "r2 / 0.0025 < 1 ? 12.734 : 0",
	} {
		for _, method := range []string{"laplace()", "nuts()"} {
			fit := fitOf(t, "parameters { vector[3] theta; } model { theta ~ normal(0, 1); real r2 = squared_distance(theta, [1.1, -0.9, 1.2]'); target += "+term+"; }",
				nil, method, 1)
			for _, s := range fit.Summaries {
				if s.Name == "theta.1" && math.Abs(s.Mean-0.733) > 0.35*0.777 && diagnose.Worst(fit.Findings) == diagnose.Good {
					t.Errorf("%s by %s: theta[1] has mean %.3g and standard deviation %.3g: %v", term, method, s.Mean, s.SD, fit.Findings)
				}
			}
		}
	}
}

// TestPeaksWithoutATrace: narrower peaks in more dimensions, half of the mass in each: a population from the prior meets none of them, and one
// from the modes is narrower than the fit. Means and standard deviations of the coordinate farthest out are by quadrature of the part inside
// and the prior outside.
func TestPeaksWithoutATrace(t *testing.T) {
	for _, c := range []struct {
		seed              uint64
		center            []float64
		prior, term, name string
		mean, sd          float64
	}{
		{262003, []float64{-0.931432, 0.453904, -0.117556, -0.224294}, "1.99", "log1p(6.37233e+07 / pow(1 + squared_distance(x, c) / 0.00234256 / 4, 7.5))", "x.1", -0.6365, 1.2006},
		{262005, []float64{-0.0873148, 1.25747, -0.265255, 1.21989}, "0.768", "log1p(3.46882e+08 * pow(1 + squared_distance(x, c) / 0.00103684, -5))", "x.2", 0.7640, 0.7798},
		{262007, []float64{-0.537931, 0.63058, -0.442217, 1.19833, 0.586847}, "0.989", "log1p(5.09953e+07 * (1 - tanh(squared_distance(x, c) / 0.00501264)))", "x.4", 0.6831, 0.8783},
	} {
		text := "data { int N; vector[N] c; } parameters { vector[N] x; } model { target += normal_lpdf(x | 0, " + c.prior + "); target += " + c.term + "; }"
		for _, method := range []string{"laplace()", "nuts()"} {
			fit := fitOf(t, text, map[string]any{"N": len(c.center), "c": c.center}, method, c.seed)
			for _, s := range fit.Summaries {
				if s.Name == c.name && (math.Abs(s.Mean-c.mean) > 0.35*c.sd || math.Abs(math.Log(s.SD/c.sd)) > math.Log(1.43)) && diagnose.Worst(fit.Findings) == diagnose.Good {
					t.Errorf("%s by %s: %s has mean %.3g and standard deviation %.3g: %v", c.term, method, s.Name, s.Mean, s.SD, fit.Findings)
				}
			}
		}
	}
}
