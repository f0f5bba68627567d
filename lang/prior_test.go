package lang_test

import (
	"context"
	"math"
	"strings"
	"testing"

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
