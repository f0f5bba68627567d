// This file tests exchanges of priors of discrete parameters, and draws that are weighted.

package lang

import (
	"math"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/diagnose"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/infertest/subset"
)

// indicators are three observations that are shifted by 3 where their indicator is 1.
const indicators = `data { vector[3] y; } parameters { real mu; array[3] int<lower=0, upper=1> z; }
model { mu ~ normal(0, 1); z ~ bernoulli(0.2); y ~ normal(mu + 3 * to_vector(z), 1); }`

// exactIndicators are the posterior means of mu and z under a prior that is known up to a
// constant: by the sum over z and the trapezoidal rule over mu.
func exactIndicators(y [3]float64, logPrior func(mu float64, z [3]float64) float64) (out [4]float64) {
	const h = 1e-3
	total := 0.0
	for code := range 8 {
		z := [3]float64{float64(code & 1), float64(code >> 1 & 1), float64(code >> 2)}
		for mu := -6.0; mu < 8; mu += h {
			lp := logPrior(mu, z)
			for i, v := range y {
				lp -= (v - mu - 3*z[i]) * (v - mu - 3*z[i]) / 2
			}
			w := math.Exp(lp)
			total += w
			out[0] += w * mu
			for i := range z {
				out[1+i] += w * z[i]
			}
		}
	}
	for i := range out {
		out[i] /= total
	}
	return out
}

// weightedMean is that of a column with its Monte Carlo error by the weights.
func weightedMean(p *infer.Posterior, name string) (mean, err float64) {
	for _, s := range p.Draws.Summaries() {
		if s.Name == name {
			return s.Mean, s.MCSE
		}
	}
	return math.NaN(), math.NaN()
}

// TestSwapsOfDiscretePriors exchanges priors of indicators, or ones that depend on them, after
// several methods. Means are held to 5 Monte Carlo errors (of chains that are autocorrelated: 8)
// and 0.01; one call of the verdict good is wrong by more than 0.35 standard deviations.
func TestSwapsOfDiscretePriors(t *testing.T) {
	count := func(z [3]float64) float64 { return z[0] + z[1] + z[2] }
	bernoulli := func(p float64) func(float64, [3]float64) float64 {
		return func(mu float64, z [3]float64) float64 {
			return -mu*mu/2 + count(z)*math.Log(p) + (3-count(z))*math.Log(1-p)
		}
	}
	for _, c := range []struct {
		swap string
		y    [3]float64
		log  func(mu float64, z [3]float64) float64
	}{
		{"z ~ bernoulli(0.4);", [3]float64{3.5, 3.1, -0.2}, bernoulli(0.4)},
		{"z ~ bernoulli(0.1);", [3]float64{1.4, 2.2, 0.9}, bernoulli(0.1)},
		{"z[1] ~ bernoulli(0.6); z[2:3] ~ bernoulli(0.2);", [3]float64{2, 1, 0}, func(mu float64, z [3]float64) float64 {
			return -mu*mu/2 + z[0]*math.Log(1.5) + (z[1]+z[2])*math.Log(0.25)
		}},
		{"mu ~ normal(0.5 * z[1], 1);", [3]float64{2.1, 0.3, 3.9}, func(mu float64, z [3]float64) float64 {
			return -(mu-0.5*z[0])*(mu-0.5*z[0])/2 + count(z)*math.Log(0.25)
		}},
		{"z ~ bernoulli(0.4); mu ~ normal(0.5, 1);", [3]float64{2.5, 1.8, 3}, func(mu float64, z [3]float64) float64 {
			return -(mu-0.5)*(mu-0.5)/2 + count(z)*math.Log(0.4/0.6)
		}},
	} {
		exact := exactIndicators(c.y, c.log)
		m := boundTo(t, indicators, map[string]any{"y": c.y[:]})
		for _, inner := range []string{"nuts()", "gibbs(draws = 4000)", "mh(draws = 4000)", "smc(nuts())"} {
			if !subset.Has(c.swap+inner, 3) {
				continue
			}
			fit := fitBy(t, m, "prior_swap("+inner+`, check = "none") { `+c.swap+" }", 1)
			if fit.Posterior.Swap == nil || fit.Posterior.Swap.From != "draws" {
				t.Fatalf("%s after %s: %+v", c.swap, inner, fit.Posterior.Swap)
			}
			for i, name := range []string{"mu", "z.1", "z.2", "z.3"} {
				mean, mcse := weightedMean(fit.Posterior, name)
				if !(math.Abs(mean-exact[i]) < 8*mcse+0.01) {
					t.Errorf("%s after %s: %s %.4f (%.4f), exactly %.4f", c.swap, inner, name, mean, mcse, exact[i])
				}
			}
		}
	}
}

// TestSwapsWithoutContinuousParameters has two discrete parameters alone: the answer is not that
// under the old priors.
func TestSwapsWithoutContinuousParameters(t *testing.T) {
	const program = `data { real y; } parameters { int<lower=1, upper=3> a; int<lower=1, upper=4> b; }
model { a ~ categorical([0.7, 0.2, 0.1]'); b ~ categorical([0.4, 0.3, 0.2, 0.1]'); y ~ normal(a * b, 1); }`
	prior, other := []float64{0.2, 0.3, 0.5}, []float64{0.4, 0.3, 0.2, 0.1}
	var total, meanA, meanB float64
	for a := 1.0; a <= 3; a++ {
		for b := 1.0; b <= 4; b++ {
			w := prior[int(a)-1] * other[int(b)-1] * math.Exp(-(8.3-a*b)*(8.3-a*b)/2)
			total, meanA, meanB = total+w, meanA+w*a, meanB+w*b
		}
	}
	for _, inner := range []string{"gibbs()", "mh()", "nuts()"} {
		fit := fitBy(t, boundTo(t, program, map[string]any{"y": 8.3}), "prior_swap("+inner+") { a ~ categorical([0.2, 0.3, 0.5]'); }", 1)
		for name, want := range map[string]float64{"a": meanA / total, "b": meanB / total} {
			if mean, mcse := weightedMean(fit.Posterior, name); !(math.Abs(mean-want) < 6*mcse+0.005) {
				t.Errorf("%s: %s %.4f (%.4f), exactly %.4f", inner, name, mean, mcse, want)
			}
		}
	}
}

// TestWeightedSwapVerdicts has weighted draws that cannot stand for the answer: values that the
// old prior excludes, and a prior far away.
func TestWeightedSwapVerdicts(t *testing.T) {
	const excluded = `data { real y; } parameters { int<lower=1, upper=3> k; real mu; }
model { k ~ categorical([0.5, 0.5, 0]'); mu ~ normal(0, 1); y ~ normal(mu + k, 1); }`
	for name, c := range map[string]struct {
		program, swap string
		data          map[string]any
		good          bool
	}{
		"excluded by the old prior":    {excluded, "k ~ categorical([0.3, 0.3, 0.4]');", map[string]any{"y": 3.0}, false},
		"excluded by the new one, too": {excluded, "k ~ categorical([0.3, 0.7, 0]');", map[string]any{"y": 1.0}, true},
		"far away":                     {indicators, "z ~ bernoulli(0.9999); mu ~ normal(8, 0.1);", map[string]any{"y": []float64{0, 0.3, -0.2}}, false},
		"near":                         {indicators, "z ~ bernoulli(0.25);", map[string]any{"y": []float64{3.5, 3.1, -0.2}}, true},
	} {
		f := found(fitBy(t, boundTo(t, c.program, c.data), `prior_swap(nuts(), check = "none") { `+c.swap+" }", 1), "prior_swap")
		if (f.Severity == diagnose.Good) != c.good {
			t.Errorf("%s: %s %s (%v)", name, f.Severity, f.Meaning, f.Value)
		}
	}
}

// TestDensityOfDiscretePriors refuses what has no density of the continuous parameters alone.
func TestDensityOfDiscretePriors(t *testing.T) {
	m := boundTo(t, indicators, map[string]any{"y": []float64{0, 0.3, -0.2}})
	for _, from := range []string{"parametric", "semiparametric", "exact"} {
		how, err := m.Program.Method(`prior_swap(gibbs(), from = "` + from + `") { z ~ bernoulli(0.5); }`)
		if err == nil {
			_, err = m.Run(t.Context(), how, RunOptions{Seed: 1})
		}
		if err == nil || !strings.Contains(err.Error(), "z, which is discrete") {
			t.Errorf("%s: %v", from, err)
		}
	}
}

// TestRefutedForms has posteriors that are far from normal, beside a discrete parameter so that
// no closed form is found: where the weights of the draws hold and contradict the normal, the
// draws are the answer. The posterior of theta is beta(a, b + n).
func TestRefutedForms(t *testing.T) {
	const program = `data { int n; real w; } parameters { real<lower=0, upper=1> theta; int<lower=1, upper=3> k; }
model { theta ~ beta(1, 1); 0 ~ binomial(n, theta); k ~ categorical([0.3, 0.3, 0.4]'); w ~ normal(100 * k, 1); }`
	for seed := range uint64(subset.Of(1, 3)) {
		n := 6 + 4*int(seed)
		fit := fitBy(t, boundTo(t, program, map[string]any{"n": n, "w": 300.3}), `prior_swap(gibbs(draws = 4000), check = "none") { theta ~ beta(3, 2); }`, seed+1)
		mean, mcse := weightedMean(fit.Posterior, "theta")
		want := 3 / (5 + float64(n))
		f := found(fit, "prior_swap")
		if fit.Posterior.Swap.From != "draws" || !(math.Abs(mean-want) < 8*mcse) || f.Severity == diagnose.Bad {
			t.Errorf("n = %d: from %s, theta %.4f (%.4f), exactly %.4f; %s %s", n, fit.Posterior.Swap.From, mean, mcse, want, f.Severity, f.Meaning)
		}
	}
}
