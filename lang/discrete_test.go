package lang_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/infer/infertest/subset"
	"github.com/seed-12b88e03/ppl/ir/data"
	"github.com/seed-12b88e03/ppl/lang"
)

// counted is a model whose 24 discrete parameters meet in one statement: 2^24 joint values
// are too many for a table, but their sum has a distribution that can be computed.
const counted = `data {
  array[24] real y;
  real s;
}
parameters {
  array[24] int<lower=0, upper=1> z;
  real mu;
}
model {
  mu ~ normal(0, 1);
  z ~ bernoulli(0.3);
  for (n in 1:24) y[n] ~ normal(z[n], 1);
  s ~ normal(sum(z) + mu, 1);
}
`

func countedData() (in *data.Set, logEvidence float64) {
	normal := func(x, m, sd float64) float64 {
		return math.Exp(-(x-m)*(x-m)/(2*sd*sd)) / (sd * math.Sqrt(2*math.Pi))
	}
	y := make([]float64, 24)
	count := []float64{1} // p(y so far, how many z are 1)
	for n := range y {
		y[n] = math.Sin(float64(3*n)) + 0.3
		next := make([]float64, len(count)+1)
		for k, p := range count {
			next[k] += p * 0.7 * normal(y[n], 0, 1)
			next[k+1] += p * 0.3 * normal(y[n], 1, 1)
		}
		count = next
	}
	const s = 12
	sum := 0.0
	for k, p := range count {
		sum += p * normal(s, float64(k), math.Sqrt2)
	}
	in, err := lang.Data(map[string]any{"y": y, "s": s})
	if err != nil {
		panic(err)
	}
	return in, math.Log(sum)
}

// A table over discrete parameters that is too large is a problem with the place of the
// statement, found before anything is run and, where the data do not matter, without them;
// methods that need no table are not concerned.
func TestDiscreteTable(t *testing.T) {
	for methods, refused := range map[string]string{
		"":                                                       "nuts",
		"inference { a = nuts(); }":                              "nuts",
		"inference { a = gibbs(); }":                             "",
		"inference { a = mh(); }":                                "",
		"inference { a = smc(mh()); }":                           "",
		"inference { a = bridge(mh()); }":                        "",
		"inference { a = smc(nuts()); }":                         "nuts",
		"inference { a = bridge(laplace()); }":                   "laplace",
		"inference { a = ais(advi()); }":                         "advi",
		"inference { a = ais(cavi()); }":                         "cavi",
		"inference { a = gibbs(); diagnose sbc(pathfinder()); }": "pathfinder",
		"inference { a = gibbs(); diagnose sbc(gibbs()); }":      "",
	} {
		p, err := lang.Compile("counted.ppl", counted+methods, lang.Options{})
		if err != nil {
			t.Fatal(err)
		}
		in, _ := countedData()
		m, err := p.Bind(in, lang.BindOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for what, err := range map[string]error{"without data": p.CheckMethods(), "with data": m.CheckMethods()} {
			var found *lang.MethodError
			switch {
			case refused == "" && err != nil:
				t.Errorf("%q, %s: %v", methods, what, err)
			case refused == "":
			case !errors.As(err, &found):
				t.Errorf("%q, %s: no problem was found", methods, what)
			default:
				text := lang.ErrorText(err)
				for _, want := range []string{"counted.ppl:13:3: error: ", "1.678e+07 entries over 24", "(z[1], z[2], z[3], ...)",
					"[discrete-table]", "note: counted.ppl:6:35: z is declared here", ": " + refused + " does not sample", "help: use gibbs() or mh()"} {
					if !strings.Contains(text, want) {
						t.Errorf("%q, %s: %q is missing in\n%s", methods, what, want, text)
					}
				}
			}
		}
	}
}

// Where sizes come from the data nothing is said without them.
func TestDiscreteTableOfUnknownSize(t *testing.T) {
	text := strings.NewReplacer("real s;", "real s; int N;", "24", "N").Replace(counted)
	text = strings.Replace(text, "array[N] real y;\n  real s; int N;", "int N; array[N] real y; real s;", 1)
	p, err := lang.Compile("counted.ppl", text, lang.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := p.CheckMethods(); err != nil {
		t.Errorf("without data: %v", err)
	}
}

// The evidence with the discrete parameters annealed themselves, within 4 standard errors
// of the exact one: a false alarm in about one of 15,000 seeds.
func TestEvidenceWithoutTable(t *testing.T) {
	if testing.Short() {
		t.Skip("a density without tables is evaluated from scratch: seconds")
	}
	in, exact := countedData()
	fit := run(t, counted, in, fmt.Sprintf("smc(mh(), particles = %d)", subset.Of(15, 30)))
	e := fit.Posterior.LogEvidence
	if z := (e.Value - exact) / e.Error; !(math.Abs(z) < 4) || e.Error > 0.5 {
		t.Errorf("log evidence %.3f with error %.3f, exactly %.3f", e.Value, e.Error, exact)
	}
	t.Logf("log evidence %.3f with error %.3f, exactly %.3f", e.Value, e.Error, exact)
}

// bridge keeps the draws where they cannot be bridged to.
func TestBridgeWithoutTable(t *testing.T) {
	in, _ := countedData()
	fit := run(t, counted, in, "bridge(mh(warmup = 20, draws = 50, chains = 2))")
	if fit.Posterior.Draws.Total() != 100 || fit.Posterior.LogEvidence != nil {
		t.Fatalf("%d draws, evidence %v", fit.Posterior.Draws.Total(), fit.Posterior.LogEvidence)
	}
	for _, f := range fit.Findings {
		if f.Name == "log_evidence" && strings.Contains(f.Meaning, "1.678e+07 entries") {
			return
		}
	}
	t.Errorf("no finding says why there is no evidence: %v", fit.Findings)
}

func run(t *testing.T, program string, in *data.Set, method string) *lang.Fit {
	t.Helper()
	p, err := lang.Compile("model.ppl", program, lang.Options{})
	if err != nil {
		t.Fatal(err)
	}
	m, err := p.Bind(in, lang.BindOptions{})
	if err != nil {
		t.Fatal(err)
	}
	how, err := p.Method(method)
	if err == nil {
		err = m.Supports(how)
	}
	if err != nil {
		t.Fatal(err)
	}
	fit, err := m.Run(context.Background(), how, lang.RunOptions{Seed: 1, Jobs: 2})
	if err != nil {
		t.Fatal(fmt.Errorf("%s: %w", method, err))
	}
	return fit
}

// Of a chain of discrete states one has no statement, and what the others follow depends on their neighbour by a condition: that
// one alone is uniform. The evidence is the sum over all states, the mean integrated out; a right estimate is outside of five of
// its errors in one fit of a million.
func TestStateWithoutStatement(t *testing.T) {
	const head = `data { int T; vector[T] y; } parameters { real mu; array[T] int<lower=1, upper=2> z; }
model { mu ~ normal(0, 1); for (t in 1:T) y[t] ~ normal(z[t] == 1 ? mu : mu + 2, 1); `
	in, err := lang.Data(map[string]any{"T": 5, "y": []float64{0.2, 1.5, 2.2, 0.1, -0.4}})
	if err != nil {
		t.Fatal(err)
	}
	const forwards, backwards = -8.10949700735742, -8.34412478940449 // by enumeration and quadrature
	for loop, want := range map[string]float64{
		"for (t in 2:T) z[t] ~ categorical(z[t-1] == 1 ? [0.9, 0.1]' : [0.3, 0.7]');":                                forwards,
		"for (t in 2:T) if (z[t-1] == 1) z[t] ~ categorical([0.9, 0.1]'); else z[t] ~ categorical([0.3, 0.7]');":     forwards,
		"for (t in 2:T) z[t] ~ categorical([[0.9, 0.1], [0.3, 0.7]][z[t-1]]');":                                      forwards,
		"for (t in 1:(T-1)) z[t] ~ categorical(z[t+1] == 1 ? [0.9, 0.1]' : [0.3, 0.7]');":                            backwards,
		"for (t in 1:(T-1)) if (z[t+1] == 1) z[t] ~ categorical([0.9, 0.1]'); else z[t] ~ categorical([0.3, 0.7]');": backwards,
	} {
		e := run(t, head+loop+" }", in, "bridge(nuts())").Posterior.LogEvidence
		if e == nil || !(math.Abs(e.Value-want) < 5*e.Error) || e.Error > 0.02 {
			t.Errorf("%s: log evidence %+v, exactly %v", loop, e, want)
		}
	}
}
