package lang_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/diagnose"
	"github.com/seed-12b88e03/ppl/diagnose/elicit"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/lang"
)

// TestLogPriors: the log prior is that of the closed form, in the parameters as declared.
func TestLogPriors(t *testing.T) {
	const text = `data { int n; vector[n] y; } parameters { real mu; real<lower=0> s; simplex[2] p; }
model { mu ~ normal(1, 2); s ~ exponential(3); p ~ dirichlet([2, 1]'); y ~ normal(mu, s); }`
	p, err := lang.Compile("model.stan", text, lang.Options{})
	if err != nil {
		t.Fatal(err)
	}
	in, err := p.ReadData(strings.NewReader(`{"n": 3, "y": [0.5, 1, 2]}`), "data.json")
	if err != nil {
		t.Fatal(err)
	}
	m, err := p.Bind(in, lang.BindOptions{})
	if err != nil {
		t.Fatal(err)
	}
	fit := draws.New(2, nil, []string{"mu", "s", "p.1", "p.2"})
	for c := range 2 {
		for i := range 3 {
			first := 0.2 + 0.1*float64(i)
			fit.Append(draws.Row{Chain: c, Values: []float64{float64(c) - 0.5, 0.3 + float64(i), first, 1 - first}})
		}
	}
	got, err := m.LogPriors(context.Background(), fit, 2)
	if err != nil {
		t.Fatal(err)
	}
	for c := range 2 {
		for i, x := range got[c] {
			v := fit.Row(c, i)[1:]
			want := -0.5*math.Pow((v[0]-1)/2, 2) - math.Log(2*math.Sqrt(2*math.Pi)) + math.Log(3) - 3*v[1] + math.Log(2*v[2])
			if !(math.Abs(x-want) <= 1e-12*math.Abs(want)) {
				t.Errorf("chain %d, draw %d: %v, want %v", c, i, x, want)
			}
		}
	}
	if len(got) != 2 || len(got[1]) != 3 {
		t.Errorf("%d chains", len(got))
	}
}

// askPriors asks what the priors of a program expect.
func askPriors(t *testing.T, text, json string, o lang.PriorOptions) (*diagnose.Verdict, *elicit.Figures) {
	t.Helper()
	p, err := lang.Compile("model.stan", text, lang.Options{})
	if err != nil {
		t.Fatal(lang.ErrorText(err))
	}
	in, err := p.ReadData(strings.NewReader(json), "data.json")
	if err != nil {
		t.Fatal(err)
	}
	o.Seed, o.Jobs = 1, 2
	v, err := p.Prior(context.Background(), in, o)
	if err != nil {
		t.Fatal(lang.ErrorText(err))
	}
	return v, v.Figures.(*elicit.Figures)
}

// normalBelow is the distribution function of N(0, 1).
func normalBelow(z float64) float64 { return math.Erfc(-z/math.Sqrt2) / 2 }

// Quantiles of the prior predictive distribution of a normal mean, and shares outside a range, in closed form: y ~ N(1, 2^2 + 3^2), the mean of two
// N(1, 2^2 + 3^2/2). Of 4,000 data sets 4 standard errors of a share are 0.032.
func TestOraclePriorOfNormal(t *testing.T) {
	const text = `data { int n; real<lower=0> width; vector[n] y; } parameters { real mu; } model { mu ~ normal(1, width); y ~ normal(mu, 3); }`
	o := lang.PriorOptions{Sets: 4000, Quantities: []elicit.Quantity{{Name: "y[1]", Plausible: &[2]float64{-4, 5}}, {Name: "mean(y)"}, {Name: "mu"}}}
	_, f := askPriors(t, text, `{"n": 2, "width": 2}`, o)
	for i, sd := range []float64{math.Sqrt(13), math.Sqrt(8.5), 2} {
		for k, p := range f.Quantities[i].Shares {
			if got := normalBelow((float64(f.Quantities[i].Quantiles[k]) - 1) / sd); math.Abs(got-p) > 0.032 {
				t.Errorf("%s: the quantile %g has a share of %.3f below it", f.Quantities[i].Name, p, got)
			}
		}
	}
	exact := 1 - normalBelow(4/math.Sqrt(13)) + normalBelow(-5/math.Sqrt(13))
	if got := float64(f.Quantities[0].Outside.Share); math.Abs(got-exact) > 0.032 {
		t.Errorf("%.3f lie outside, exactly %.3f", got, exact)
	}
	// Each number moved: 1 by a standard deviation of mu, and width doubled.
	if len(f.Moved) != 2 || f.Moved[1].Name != "width" || f.Moved[1].To != 4 {
		t.Fatalf("moved: %+v", f.Moved)
	}
	if got := normalBelow((float64(f.Moved[1].Quantities[2][2]) - 1) / 4); math.Abs(got-0.95) > 0.032 {
		t.Errorf("mu with width doubled: %.3f below the quantile 0.95", got)
	}
	// Both set: mu ~ N(-2, 0.5).
	o.Set = map[int]float64{1: -2, 2: 0.5}
	_, f = askPriors(t, text, `{"n": 2, "width": 2}`, o)
	for k, p := range f.Quantities[2].Shares {
		if got := normalBelow((float64(f.Quantities[2].Set[k]) + 2) / 0.5); math.Abs(got-p) > 0.032 {
			t.Errorf("mu with both numbers set: the quantile %g has a share of %.3f below it", p, got)
		}
	}
}

// betaBinomialBelow is P(y <= k) of a beta-binomial distribution.
func betaBinomialBelow(k, n int, a, b float64) (sum float64) {
	lg := func(x float64) float64 { v, _ := math.Lgamma(x); return v }
	logBeta := func(a, b float64) float64 { return lg(a) + lg(b) - lg(a+b) }
	for i := 0; i <= k; i++ {
		sum += math.Exp(lg(float64(n)+1) - lg(float64(i)+1) - lg(float64(n-i)+1) + logBeta(a+float64(i), b+float64(n-i)) - logBeta(a, b))
	}
	return sum
}

// Quantiles of counts in closed form, and numbers of the prior found by them: those of beta(6, 14) from beta(1, 1). Quantiles of 3,000 data sets leave
// a and b about 10 % of error each, most of it in their sum; what was found must have the exact share within 0.03 below each wanted value.
func TestOraclePriorOfBetaBinomial(t *testing.T) {
	const text = `data { int n; int y; } parameters { real<lower=0, upper=1> p; } model { p ~ beta(2, 3); y ~ binomial(n, p); }`
	_, f := askPriors(t, text, `{"n": 40}`, lang.PriorOptions{Sets: 4000})
	for k, p := range f.Quantities[0].Shares {
		q := int(f.Quantities[0].Quantiles[k])
		if below, upTo := betaBinomialBelow(q-1, 40, 2, 3), betaBinomialBelow(q, 40, 2, 3); below > p+0.032 || upTo < p-0.032 {
			t.Errorf("%s: the quantile %g is %d, and shares from %.3f to %.3f have that", f.Quantities[0].Name, p, q, below, upTo)
		}
	}
	var want []elicit.Wanted
	for _, p := range []float64{0.05, 0.5, 0.95} {
		k := 0
		for betaBinomialBelow(k, 40, 6, 14) < p {
			k++
		}
		want = append(want, elicit.Wanted{Share: p, Value: float64(k)})
	}
	v, f := askPriors(t, strings.Replace(text, "beta(2, 3)", "beta(1, 1)", 1), `{"n": 40}`, lang.PriorOptions{Sets: 3000, Quantities: []elicit.Quantity{{Name: "y", Want: want}}})
	if v.Severity != diagnose.Good {
		t.Error(v.Summary)
	}
	for _, w := range want {
		k := int(w.Value)
		if below, upTo := betaBinomialBelow(k-1, 40, f.Found[0].To, f.Found[1].To), betaBinomialBelow(k, 40, f.Found[0].To, f.Found[1].To); below > w.Share+0.03 || upTo < w.Share-0.03 {
			t.Errorf("beta(%g, %g): shares from %.3f to %.3f at %d, wanted %g", f.Found[0].To, f.Found[1].To, below, upTo, k, w.Share)
		}
	}
}
