package lang_test

import (
	"context"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/ir/data"
	"github.com/seed-12b88e03/ppl/ir/eval"
	"github.com/seed-12b88e03/ppl/lang"
)

const schoolLike = `functions { real twice(real x) { return 2 * x; } }
data { int N; vector[N] y; }
transformed data { real total = sum(y); }
parameters { real mu; }
transformed parameters { real nu = mu + 1; }
model { mu ~ normal(0, 1); y ~ normal(mu, 1); }
generated quantities { real w = 3 * mu; }
`

func compiled(t *testing.T, text string) *lang.Program {
	t.Helper()
	p, err := lang.Compile("m.stan", text, lang.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestExpressionValue(t *testing.T) {
	p := compiled(t, schoolLike)
	in, err := lang.Data(map[string]any{"N": 3, "y": []float64{1, 2, 3.5}})
	if err != nil {
		t.Fatal(err)
	}
	p, err = p.With("input", "real half = total / 2; int k = 2;")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		text, kind, want string
		set              *data.Set
	}{
		{"twice(21)", "real", "42", nil}, // no data are needed
		{"y[2]", "real", "2", in},
		{"total + half", "real", "9.75", in},
		{"to_array_1d(y)", "array[] real", "[1,2,3.5]", in},
		{"{k, N}", "array[] int", "[2,3]", in},
		{"(k, y)", "tuple(int, vector)", "(2,[1,2,3.5])", in},
		{"poisson_rng(0.0)", "int", "0", nil},
	} {
		x, err := p.Expression("input", c.text)
		if err != nil {
			t.Fatal(err)
		}
		v, err := x.Value(context.Background(), c.set, lang.BindOptions{}, rand.New(rand.NewPCG(1, 2)))
		if err != nil {
			t.Fatalf("%s: %v", c.text, err)
		}
		if got := eval.Format(v); got != c.want || x.Type.String() != c.kind {
			t.Errorf("%s: found %s of type %s, want %s of type %s", c.text, got, x.Type, c.want, c.kind)
		}
	}
}

// An expression over parameters has a value for each draw, equal to the column's or to
// what is computed from it by hand.
func TestExpressionDraws(t *testing.T) {
	p := compiled(t, schoolLike)
	in, err := lang.Data(map[string]any{"N": 3, "y": []float64{1, 2, 3.5}})
	if err != nil {
		t.Fatal(err)
	}
	m, err := p.Bind(in, lang.BindOptions{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	method, err := p.Method("nuts(draws = 50, warmup = 100, chains = 2)")
	if err != nil {
		t.Fatal(err)
	}
	fit, err := m.Run(context.Background(), method, lang.RunOptions{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	x, err := p.Expression("input", "[mu, exp(nu), w - N]")
	if err != nil {
		t.Fatal(err)
	}
	if !x.Parameters {
		t.Error("the expression depends on parameters")
	}
	got, err := x.Draws(context.Background(), in, lang.BindOptions{Seed: 1}, fit.Posterior.Draws, "x")
	if err != nil {
		t.Fatal(err)
	}
	if names := strings.Join(got.Columns(), " "); names != "x.1 x.2 x.3" {
		t.Errorf("found columns %s", names)
	}
	mu := fit.Posterior.Draws.Column("mu")
	for k, f := range []func(mu float64) float64{
		func(mu float64) float64 { return mu }, func(mu float64) float64 { return math.Exp(mu + 1) }, func(mu float64) float64 { return 3*mu - 3 },
	} {
		column := got.Column(got.Columns()[k])
		for chain := range mu {
			for i, m := range mu[chain] {
				if want := f(m); math.Abs(column[chain][i]-want) > 1e-14*math.Abs(want) { // exp may differ in the last place
					t.Fatalf("column %d, chain %d, draw %d: found %v, want %v", k+1, chain, i, column[chain][i], want)
				}
			}
		}
	}
}

func TestExpressionErrors(t *testing.T) {
	p := compiled(t, schoolLike)
	for text, want := range map[string]string{
		"1 +":      `input:1:4: error: expected`,
		"sigma":    `input:1:1: error: "sigma" is not declared here`,
		"twice(y)": `input:1:1: error: `,
	} {
		_, err := p.Expression("input", text)
		if err == nil || !strings.HasPrefix(lang.ErrorText(err), want) {
			t.Errorf("%s: found %v, want %s", text, err, want)
		}
	}
	if _, err := p.With("input", "real mu = 3;"); err == nil {
		t.Error("mu is declared twice, and that was taken")
	}
	x, err := p.Expression("input", "{1, 2}[3]")
	if err != nil {
		t.Fatal(err)
	}
	if _, err = x.Value(context.Background(), nil, lang.BindOptions{}, nil); err == nil || !strings.HasPrefix(lang.ErrorText(err), "input:1:") {
		t.Errorf("index out of range: found %v", err)
	}
}
