// Full conditionals: what is recognised, and draws against exact posteriors.

package bind_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/infer/gibbs"
	"github.com/seed-12b88e03/ppl/infer/nuts"
	"github.com/seed-12b88e03/ppl/ir/bind"
)

func forms(t *testing.T, m *bind.Model) string {
	t.Helper()
	c := m.Joint().NewEvaluator().(infer.Conditionals)
	var parts []string
	for _, b := range c.Blocks() {
		parts = append(parts, b.Name+": "+b.Form)
	}
	return strings.Join(parts, "; ")
}

func TestConditionalForms(t *testing.T) {
	data := `{"N": 3, "x": [0.1, 1.4, 2], "y": [1.2, 0.3, 2.2], "n": [2, 0, 5], "g": [1, 2, 1]}`
	head := `data { int N; vector[N] x; vector[N] y; array[N] int n; array[N] int g; } `
	for _, c := range []struct{ program, want string }{
		{`parameters { real mu; real<lower=0> v; }
		  model { mu ~ normal(0, 2); v ~ inv_gamma(2, 3); y ~ normal(mu, sqrt(v)); }`, "mu: normal; v: inverse gamma"},
		{`parameters { real mu; real<lower=0> t; }
		  model { mu ~ normal(0, 2); t ~ gamma(2, 3); y ~ normal(mu, inv_sqrt(t)); }`, "mu: normal; t: gamma"},
		{`parameters { real mu; real<lower=0> t; }
		  model { t ~ gamma(2, 3); for (i in 1:N) y[i] ~ normal(mu, 1 / sqrt(t)); }`, "mu: normal; t: gamma"},
		{`parameters { real mu; real<lower=0> s; }
		  model { mu ~ normal(0, 2); s ~ exponential(1); y ~ normal(mu, s); }`, "mu: normal; s: slice"},
		{`parameters { real<lower=0> v; } model { v ~ scaled_inv_chi_square(3, 1.5); y ~ normal(0, sqrt(v)); }`, "v: inverse gamma"},
		{`parameters { vector[2] a; real b; real m; real<lower=0> v; real<lower=0> w; }
		  transformed parameters { vector[N] eta = a[g] + b * x; }
		  model { a ~ normal(m, sqrt(w)); b ~ normal(0, 5); m ~ normal(0, 5); v ~ inv_gamma(1, 1); w ~ inv_gamma(1, 1);
		    y ~ normal(eta, sqrt(v)); }`, "a, b, m: normal; v: inverse gamma; w: inverse gamma"},
		{`parameters { real<lower=0> r; } model { r ~ gamma(2, 1); n ~ poisson(r); }`, "r: gamma"},
		{`parameters { real<lower=0> r; } model { r ~ gamma(2, 1); x ~ exponential(r); y ~ gamma(3, r); }`, "r: gamma"},
		{`parameters { real<lower=0, upper=1> p; } model { p ~ beta(2, 3); n ~ binomial(6, p); }`, "p: beta"},
		{`parameters { real<lower=0, upper=1> p; } model { p ~ beta(2, 3); for (i in 1:N) (n[i] > 0) ~ bernoulli(p); }`, "p: beta"},
		{`parameters { simplex[3] th; } model { th ~ dirichlet([1, 2, 3]'); {3, 1, 1, 2} ~ categorical(th); n ~ multinomial(th); }`, "th: dirichlet"},
		{`parameters { simplex[2] th; vector[2] mu; real<lower=0> v; array[N] int<lower=1, upper=2> z; }
		  model { th ~ dirichlet([1, 1]'); mu ~ normal(0, 3); v ~ inv_gamma(2, 2); z ~ categorical(th); y ~ normal(mu[z], sqrt(v)); }`,
			"z: enumerated; th: dirichlet; mu: normal; v: inverse gamma"},
	} {
		if got := forms(t, bound(t, head+c.program, data)); got != c.want {
			t.Errorf("%s\ngot  %s\nwant %s", c.program, got, c.want)
		}
	}
}

// run draws from a model and gives the posterior.
func run(t *testing.T, method infer.Method, m infer.Model) *draws.Draws {
	t.Helper()
	p, err := method.Run(context.Background(), m, infer.Options{Seed: 11, Jobs: 2})
	if err != nil {
		t.Fatal(err)
	}
	return p.Draws
}

func gibbsMethod(t *testing.T, warmup, n int) infer.Method {
	t.Helper()
	o := gibbs.DefaultOptions()
	o.Warmup, o.Draws, o.Chains = warmup, n, 2
	m, err := gibbs.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestGibbsExact compares with closed forms; each quantity is within 4.5 Monte Carlo
// errors, which fails by chance once in 100,000.
func TestGibbsExact(t *testing.T) {
	for _, c := range []struct {
		name, program, data string
		column              int
		mean, sd            float64
	}{
		{"beta", `data { int n; } parameters { real<lower=0, upper=1> p; } model { p ~ beta(2, 3); n ~ binomial(10, p); }`,
			`{"n": 4}`, 0, 6.0 / 15, math.Sqrt(6.0 * 9 / (15 * 15 * 16))},
		{"gamma", `data { array[3] int n; } parameters { real<lower=0> r; } model { r ~ gamma(2, 1); n ~ poisson(r); }`,
			`{"n": [2, 0, 5]}`, 0, 9.0 / 4, 3.0 / 4},
		{"inverse gamma", `data { vector[4] y; } parameters { real<lower=0> v; } model { v ~ inv_gamma(4, 3); y ~ normal(1, sqrt(v)); }`,
			`{"y": [0.5, 1.5, 2.5, 1]}`, 0, (3 + 1.375) / 5, (3 + 1.375) / 5 / math.Sqrt(4)},
		{"normal", `data { vector[2] y; } parameters { real a; real b; } model { a ~ normal(1, 2); b ~ normal(a, 1); y ~ normal(b, 3); }`,
			`{"y": [4, 1]}`, 0, 1 + 4*(2.5-1)/(4+1+4.5), math.Sqrt(4 - 16/(4+1+4.5))},
		{"dirichlet", `data { array[3] int n; } parameters { simplex[3] th; } model { th ~ dirichlet([1, 2, 3]'); n ~ multinomial(th); }`,
			`{"n": [4, 0, 2]}`, 1, 2.0 / 12, math.Sqrt(2.0 * 10 / (144 * 13))},
		{"slice", `parameters { real<lower=-1> x; } model { x ~ normal(0, 1); }`, `{}`, 0,
			0.24197072451914337 / 0.8413447460685429, math.Sqrt(1 - 0.24197072451914337/0.8413447460685429 - math.Pow(0.24197072451914337/0.8413447460685429, 2))},
	} {
		d := run(t, gibbsMethod(t, 200, 4000), bound(t, c.program, c.data).Joint())
		s := d.Summaries()[1+c.column]
		if math.Abs(s.Mean-c.mean) > 4.5*s.MCSE || math.Abs(s.SD/c.sd-1) > 0.06 {
			t.Errorf("%s: mean %v (error %v) sd %v, want %v and %v", c.name, s.Mean, s.MCSE, s.SD, c.mean, c.sd)
		}
	}
}

// TestGibbsAgreesWithNUTS on a hierarchical regression like that of the rats: group
// intercepts and slopes with their own means and variances. Differences are within
// 4.5 joint Monte Carlo errors.
func TestGibbsAgreesWithNUTS(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	const groups, times = 10, 5
	var rows []string
	for range groups {
		a, b := 10+r.NormFloat64(), 2+0.5*r.NormFloat64()
		var y []string
		for j := range times {
			y = append(y, fmt.Sprint(a+b*(float64(j)-2)+0.5*r.NormFloat64()))
		}
		rows = append(rows, "["+strings.Join(y, ",")+"]")
	}
	data := fmt.Sprintf(`{"N": %d, "T": %d, "x": [-2, -1, 0, 1, 2], "Y": [%s]}`, groups, times, strings.Join(rows, ","))
	m := bound(t, `
data { int N; int T; vector[T] x; array[N] vector[T] Y; }
parameters { vector[N] a; vector[N] b; real ma; real mb; real<lower=0> va; real<lower=0> vb; real<lower=0> v; }
model {
  ma ~ normal(0, 100); mb ~ normal(0, 100);
  va ~ inv_gamma(1, 1); vb ~ inv_gamma(1, 0.25); v ~ inv_gamma(1, 0.25);
  a ~ normal(ma, sqrt(va)); b ~ normal(mb, sqrt(vb));
  for (i in 1:N) Y[i] ~ normal(a[i] + b[i] * x, sqrt(v));
}`, data)
	if got, want := forms(t, m), "a, b, ma, mb: normal; va: inverse gamma; vb: inverse gamma; v: inverse gamma"; got != want {
		t.Fatalf("got %s, want %s", got, want)
	}
	o := nuts.DefaultOptions()
	o.Warmup, o.Draws, o.Chains = 500, 1500, 2
	n, err := nuts.New(o)
	if err != nil {
		t.Fatal(err)
	}
	x, y := run(t, gibbsMethod(t, 100, 2000), m.Joint()).Summaries(), run(t, n, m).Summaries()
	for i := 1; i < len(x); i++ {
		if d := math.Abs(x[i].Mean - y[i].Mean); d > 4.5*math.Hypot(x[i].MCSE, y[i].MCSE) {
			t.Errorf("%s: %v (error %v) by gibbs, %v (error %v) by nuts", x[i].Name, x[i].Mean, x[i].MCSE, y[i].Mean, y[i].MCSE)
		}
	}
}
