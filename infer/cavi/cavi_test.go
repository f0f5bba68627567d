package cavi_test

// This file compares fits of programs with closed forms, enumeration and quadrature.

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/cavi"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/infer/rng"
)

// forms are the factors of a fit.
func forms(p *infer.Posterior) string {
	var parts []string
	for _, f := range p.Duality.Factors {
		parts = append(parts, f.Name+": "+f.Form)
	}
	return strings.Join(parts, "; ")
}

const abc = `{"N": 3, "x": [0.1, 1.4, 2], "y": [1.2, 0.3, 2.2], "n": [2, 0, 5], "g": [1, 2, 1]}`
const head = `data { int N; vector[N] x; vector[N] y; array[N] int n; array[N] int g; } `

func TestForms(t *testing.T) {
	for _, c := range []struct {
		program, want string
		change        func(o *cavi.Options)
	}{
		{program: `parameters { real mu; real<lower=0> v; }
		  model { mu ~ normal(0, 2); v ~ inv_gamma(2, 3); y ~ normal(mu, sqrt(v)); }`, want: "mu: normal; v: inverse gamma"},
		{program: `parameters { real mu; real<lower=0> s; }
		  model { mu ~ normal(0, 2); s ~ exponential(1); y ~ normal(mu, s); }`, want: "mu: normal; s: quadrature"},
		{program: `parameters { real mu; real<lower=0> s; }
		  model { mu ~ normal(0, 2); s ~ exponential(1); y ~ normal(mu, s); }`, want: "mu: normal; s: laplace",
			change: func(o *cavi.Options) { o.Nonconjugate = cavi.Laplace }},
		{program: `parameters { vector[2] a; real b; real m; real<lower=0> v; real<lower=0> w; }
		  model { a ~ normal(m, sqrt(w)); b ~ normal(0, 5); m ~ normal(0, 5); v ~ inv_gamma(1, 1); w ~ inv_gamma(1, 1);
		    y ~ normal(a[g] + b * x, sqrt(v)); }`,
			want: "a[1]: normal; a[2]: normal; b: normal; m: normal; v: inverse gamma; w: inverse gamma"},
		{program: `parameters { vector[2] a; real b; real<lower=0> v; }
		  model { a ~ normal(0, 1); b ~ normal(0, 5); v ~ inv_gamma(1, 1); y ~ normal(a[1] + a[2] * x + b, sqrt(v)); }`,
			want: "a, b: normal; v: inverse gamma", change: func(o *cavi.Options) { o.Blocks.Choice = infer.Jointly }},
		{program: `parameters { vector[2] a; real<lower=0> v; }
		  model { a ~ normal(0, 1); v ~ inv_gamma(1, 1); y ~ normal(a[1] + a[2] * x, sqrt(v)); }`,
			want: "a: normal; v: inverse gamma"},
		{program: `parameters { vector[2] a; real<lower=0> v; }
		  model { a ~ normal(0, 1); v ~ inv_gamma(1, 1); y ~ normal(a[1] + a[2] * x, sqrt(v)); }`,
			want: "a[1]: normal; a[2]: normal; v: inverse gamma", change: func(o *cavi.Options) { o.Blocks.Choice = infer.ByElement }},
		{program: `parameters { real<lower=0> r; } model { r ~ gamma(2, 1); n ~ poisson(r); }`, want: "r: gamma"},
		{program: `parameters { real<lower=0, upper=1> p; } model { p ~ beta(2, 3); n ~ binomial(6, p); }`, want: "p: beta"},
		{program: `parameters { real<lower=1, upper=4> p; } model { y ~ normal(p, 1); }`, want: "p: quadrature"},
		{program: `parameters { real b; } model { b ~ normal(0, 1); n ~ poisson_log(b); }`, want: "b: quadrature"},
		{program: `parameters { simplex[3] th; } model { th ~ dirichlet([1, 2, 3]'); {3, 1, 1, 2} ~ categorical(th); }`, want: "th: dirichlet"},
		{program: `parameters { simplex[2] th; vector[2] mu; real<lower=0> v; array[N] int<lower=1, upper=2> z; }
		  model { th ~ dirichlet([1, 1]'); mu ~ normal(0, 3); v ~ inv_gamma(2, 2); z ~ categorical(th); y ~ normal(mu[z], sqrt(v)); }`,
			want:   "z[1]: enumerated; z[2]: enumerated; z[3]: enumerated; th: dirichlet; mu[1]: normal; mu[2]: normal; v: inverse gamma",
			change: func(o *cavi.Options) { o.Init.Radius = 2 }},
	} {
		p := fit(t, model(t, head+c.program, abc).Joint(), c.change)
		if got := forms(p); got != c.want {
			t.Errorf("%s\ngot  %s\nwant %s", c.program, got, c.want)
		}
	}
}

// TestSingle: with one block the approximation is the posterior and the bound the
// evidence, here of gamma-Poisson and beta-binomial models in closed form.
func TestSingle(t *testing.T) {
	lgamma := func(x float64) float64 { v, _ := math.Lgamma(x); return v }
	logB := func(a, b float64) float64 { return lgamma(a) + lgamma(b) - lgamma(a+b) }
	for _, c := range []struct {
		program  string
		evidence float64
	}{
		{`parameters { real<lower=0> r; } model { r ~ gamma(2, 1); n ~ poisson(r); }`,
			lgamma(9) - 9*math.Log(4) - lgamma(2) - lgamma(3) - lgamma(6)},
		{`parameters { real b; } model { target += gamma_lpdf(exp(b) | 2, 1) + b; n ~ poisson_log(b); }`,
			lgamma(9) - 9*math.Log(4) - lgamma(2) - lgamma(3) - lgamma(6)},
		{`parameters { real<lower=0, upper=1> p; } model { p ~ beta(2, 3); n ~ binomial(6, p); }`,
			math.Log(15*6) + logB(9, 14) - logB(2, 3)},
		{`parameters { real<lower=0, upper=2> p; } model { target += beta_lpdf(p / 2 | 2, 3) - log(2); n ~ binomial(6, p / 2); }`,
			math.Log(15*6) + logB(9, 14) - logB(2, 3)},
	} {
		p := fit(t, model(t, head+c.program, abc), nil)
		near(t, c.program, p.Fit.ELBO.Value, c.evidence)
		near(t, "its evidence", p.Duality.LogEvidence.Value, c.evidence)
		near(t, "information", p.Duality.Factors[0].Information.Value, 0)
		near(t, "divergence", p.Duality.Factors[0].Divergence.Value, 0)
		lp, lq := p.Draws.Column(draws.LogTargetColumn)[0], p.Draws.Column(draws.LogApproximationColumn)[0]
		for i := range lp {
			if math.Abs(lp[i]-lq[i]-c.evidence) > 1e-4 { // grids have pieces
				t.Fatalf("%s: log p - log q is %g at a draw", c.program, lp[i]-lq[i])
			}
		}
	}
}

// TestDraws compares draws with the density and the factors: tau is gamma(8, 7.655...)
// in the oracle's model; 20,000 draws, 5 standard errors: a false alarm in a million.
func TestDraws(t *testing.T) {
	program := `parameters { real mu; real<lower=0> s; } model { mu ~ normal(0, 2); s ~ exponential(1); y ~ normal(mu, s); }`
	p := fit(t, model(t, head+program, abc), func(o *cavi.Options) { o.Draws = 20000 })
	a, ok := p.Approximation()
	if !ok {
		t.Fatal("no approximation")
	}
	// Moments of the density by the trapezoidal rule in each coordinate.
	for c, name := range []string{"mu", "s"} {
		var total, mean, second float64
		q := []float64{0, 0}
		for u := -15.0; u < 15; u += 0.001 {
			q[c] = u
			w := math.Exp(a.LogDensity(q))
			x := u
			if c == 1 {
				x = math.Exp(u)
			}
			total, mean, second = total+w, mean+w*x, second+w*x*x
		}
		mean, second = mean/total, second/total
		sd := math.Sqrt(second - mean*mean)
		x := p.Draws.Column(name)
		if z := (draws.Mean(x) - mean) / sd * math.Sqrt(20000); math.Abs(z) > 5 {
			t.Errorf("%s: mean of draws %g, of the density %g", name, draws.Mean(x), mean)
		}
		if r := draws.SD(x) / sd; math.Abs(r-1) > 0.1 {
			t.Errorf("%s: sd of draws %g, of the density %g", name, draws.SD(x), sd)
		}
	}
	q, grad, none := []float64{0.31, 0.2}, make([]float64, 2), make([]float64, 2)
	a.LogDensityGrad(q, grad)
	for c := range q {
		const h = 1e-5
		up, down := append([]float64(nil), q...), append([]float64(nil), q...)
		up[c] += h
		down[c] -= h
		if want := (a.LogDensity(up) - a.LogDensity(down)) / (2 * h); math.Abs(grad[c]-want) > 1e-2*math.Max(1, math.Abs(want)) {
			t.Errorf("gradient %d is %g, differences give %g", c, grad[c], want)
		}
	}
	if lp := a.LogDensityGrad(q, none); math.Abs(lp-a.LogDensity(q)) > 1e-12 {
		t.Error("the log density depends on whether the gradient is asked for")
	}
}

// TestMixture compares with the evidence by enumeration: two components with known
// variance and weights, five observations, 32 assignments.
func TestMixture(t *testing.T) {
	y := []float64{-2.1, -1.7, 1.9, 2.4, 2.2}
	program := `data { vector[5] y; } parameters { vector[2] mu; array[5] int<lower=1, upper=2> z; }
	  model { z ~ categorical([0.4, 0.6]'); mu ~ normal(0, 3); y ~ normal(mu[z], 1); }`
	m := model(t, program, fmt.Sprintf(`{"y": %s}`, strings.ReplaceAll(fmt.Sprint(y), " ", ", "))).Joint()
	// Given an assignment each component is conjugate: prior variance 9, noise 1.
	var logs []float64
	for s := range 32 {
		lp := 0.0
		for k := range 2 {
			n, sum, square := 0.0, 0.0, 0.0
			for i, v := range y {
				if s>>i&1 == k {
					n, sum, square = n+1, sum+v, square+v*v
					lp += math.Log([]float64{0.4, 0.6}[k])
				}
			}
			lp += -n/2*math.Log(2*math.Pi) - math.Log(1+9*n)/2 - square/2 + sum*sum*9/(2*(1+9*n))
		}
		logs = append(logs, lp)
	}
	evidence := infer.LogSumExp(logs)
	p := fit(t, m, func(o *cavi.Options) { o.Init.Radius = 2; o.Draws = 4000 })
	if elbo := p.Fit.ELBO.Value; elbo > evidence || elbo < evidence-1 {
		t.Errorf("bound %g, evidence %g", elbo, evidence)
	}
	// The bound by Monte Carlo over its own draws agrees within 5 errors.
	var mean, square float64
	lp, lq := p.Draws.Column(draws.LogTargetColumn)[0], p.Draws.Column(draws.LogApproximationColumn)[0]
	for i := range lp {
		mean += (lp[i] - lq[i]) / float64(len(lp))
		square += (lp[i] - lq[i]) * (lp[i] - lq[i]) / float64(len(lp))
	}
	if e := math.Sqrt((square - mean*mean) / float64(len(lp))); math.Abs(mean-p.Fit.ELBO.Value) > 5*e+1e-9 {
		t.Errorf("bound %g, over draws %g with error %g", p.Fit.ELBO.Value, mean, e)
	}
}

// TestLaplace: the bound of a normal at the mode is computed exactly: that of the
// one-number model b with gamma(2, 1) on exp(b) is the integral over the normal.
func TestLaplace(t *testing.T) {
	program := `parameters { real b; } model { target += gamma_lpdf(exp(b) | 2, 1) + b; }`
	p := fit(t, model(t, program, `{}`), func(o *cavi.Options) { o.Nonconjugate = cavi.Laplace })
	// log p = 2b - exp(b), mode log 2, curvature -2.
	mean, variance := math.Ln2, 0.5
	want := 2*mean - math.Exp(mean+variance/2) + math.Log(2*math.Pi*math.E*variance)/2
	near(t, "bound", p.Fit.ELBO.Value, want)
	if !strings.Contains(p.Fit.Stop, "Laplace's approximation") {
		t.Errorf("the report does not name Laplace factors: %s", p.Fit.Stop)
	}
	d := p.Duality
	near(t, "evidence", d.LogEvidence.Value, 0)
	near(t, "squashing constant", d.Factors[0].Squashing.Value, 1)
}

// TestHeavyTails: a Cauchy prior alone has evidence 1 and is its own factor.
func TestHeavyTails(t *testing.T) {
	p := fit(t, model(t, `parameters { real x; } model { x ~ cauchy(1, 2); }`, `{}`), nil)
	near(t, "bound", p.Fit.ELBO.Value, 0)
}

func TestRefusals(t *testing.T) {
	for _, c := range []struct{ program, want string }{
		{`parameters { real a; real b; } model { a ~ normal(0, 1); b ~ normal(0, 1); n ~ poisson_log(log1p_exp(a + b * x)); }`,
			"a and b occur together in a function that is not a sum of products (test.stan:1:"},
		{`parameters { ordered[2] a; } model { a ~ normal(0, 1); }`, "the constraint of a, ordered, ties its numbers together"},
		{`parameters { real a; real<lower=a> b; } model { a ~ normal(0, 1); b ~ normal(0, 1); }`, "the constraint of b depends on other parameters"},
		{`parameters { simplex[2] s; real a; } model { y ~ normal(s[1] * a, 1); a ~ normal(0, 1); }`,
			"the simplex s occurs other than in logarithms of its elements; use gibbs, advi or nuts instead"},
		{`parameters { real a; real b; } model { if (a > 0) y ~ normal(b, 1); a ~ normal(0, 1); b ~ normal(0, 1); }`,
			"a condition, an index or a truncation depends on parameters"},
		{`parameters { cov_matrix[2] S; } model { S ~ wishart(4, identity_matrix(2)); [0.2, 1]' ~ multi_normal([0, 0]', S); }`,
			"the matrix S stands in its elements and in those of its inverse (test.stan:1:"},
		{`parameters { cov_matrix[2] S; real a; } model { S ~ wishart(4, identity_matrix(2)); a ~ normal(S[1, 1] * S[2, 2], 1); }`,
			"elements of the matrix S are multiplied (test.stan:1:"},
		{`parameters { cov_matrix[2] S; real<lower=0> v; } model { v ~ inv_gamma(1, 1); S ~ wishart(4, identity_matrix(2)); y ~ normal(sqrt(S[1, 1]), v); }`,
			"the matrix S occurs other than in its elements"},
		{`parameters { real a; real<lower=0> v; } model { y ~ normal(0, 1); v ~ gamma(1, 1); }`, "the factor of a, normal, is improper"},
	} {
		method, err := cavi.New(cavi.DefaultOptions())
		if err != nil {
			t.Fatal(err)
		}
		_, err = method.Run(t.Context(), model(t, head+c.program, abc), infer.Options{Seed: 1})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s\ngot  %v\nwant %s", c.program, err, c.want)
		}
	}
}

func TestOptionRanges(t *testing.T) {
	for _, change := range []func(o *cavi.Options){
		func(o *cavi.Options) { o.Draws = 0 },
		func(o *cavi.Options) { o.Iterations = 0 },
		func(o *cavi.Options) { o.Tolerance = 0 },
		func(o *cavi.Options) { o.Starts = 0 },
		func(o *cavi.Options) { o.Blocks.Choice = "none" },
		func(o *cavi.Options) { o.Nonconjugate = "guess" },
	} {
		o := cavi.DefaultOptions()
		change(&o)
		if _, err := cavi.New(o); err == nil {
			t.Errorf("%+v is taken", o)
		}
	}
}

// TestFactorisation: the sum of products is the model's log density, at random points.
func TestFactorisation(t *testing.T) {
	for _, program := range []string{
		`parameters { real mu; real<lower=0> v; } model { mu ~ normal(0, 2); v ~ inv_gamma(2, 3); y ~ normal(mu, sqrt(v)); }`,
		`parameters { vector[2] a; real b; real m; real<lower=0> v; real<lower=0> w; }
		  model { a ~ normal(m, sqrt(w)); b ~ normal(0, 5); m ~ normal(0, 5); v ~ inv_gamma(1, 1); w ~ gamma(1, 1);
		    y ~ normal(a[g] + b * x, 1 / sqrt(v)); }`,
		`parameters { real<lower=1, upper=4> p; real<upper=2> u; real<offset=1, multiplier=3> o; real<lower=-1> l; }
		  model { y ~ normal(p, 1); u ~ normal(o, 1); o ~ student_t(3, 0, 1); l ~ logistic(0, 1); n ~ poisson_log(l); }`,
		`parameters { simplex[3] th; real<lower=0, upper=1> p; }
		  model { th ~ dirichlet([1, 2, 3]'); {3, 1, 1, 2} ~ categorical(th); p ~ beta(2, 2); n ~ neg_binomial(3, p / (1 - p)); }`,
		`parameters { simplex[2] th; vector[2] mu; real<lower=0> s; array[N] int<lower=1, upper=2> z; }
		  model { th ~ dirichlet([1, 1]'); mu ~ normal(0, 3); s ~ lognormal(0, 1); z ~ categorical(th); y ~ normal(mu[z], s); }`,
		`parameters { array[2] simplex[2] A; vector[2] mu; array[N] int<lower=1, upper=2> z; }
		  model { for (k in 1:2) A[k] ~ dirichlet([2, 2]'); mu ~ normal(0, 3); for (i in 2:N) z[i] ~ categorical(A[z[i-1]]); y ~ normal(mu[z], 1); }`,
		`parameters { matrix[4, 2] U; matrix[2, 3] V; row_vector[3] r; }
		  model { to_vector(U) ~ normal(0, 1); to_vector(V) ~ normal(0, 1); to_vector(U * V)[1:N] ~ normal(y, 1);
		    r ~ normal(0, 1); to_vector((V * r')') ~ normal(0, 1); to_vector((r' * U[2])[1:2]) ~ normal(1, 2); r * V' ~ normal(0, 3); }`,
		`parameters { real<lower=0> a; real<lower=0> b; vector<lower=0>[N] l; }
		  model { a ~ exponential(1); b ~ gamma(1, 1); l ~ gamma(a, b); n ~ poisson(l); }`,
	} {
		m := model(t, head+program, abc).Joint()
		f, err := m.(infer.Factorisable).Factorise(infer.Blocking{Choice: infer.ByParameter})
		if err != nil {
			t.Errorf("%s: %v", program, err)
			continue
		}
		e := m.NewEvaluator()
		mixed, _ := infer.Capability[infer.Mixed](e)
		r := rng.New(1, "factorisation", 0, 0)
		for range 5 {
			q := make([]float64, m.Dim())
			for i := range q {
				q[i] = 3*r.Float64() - 1.5
			}
			whole := mixed.Whole()
			for i, w := range whole {
				q[len(q)-len(whole)+i] = w.Low + float64(r.IntN(int(w.High-w.Low)+1))
			}
			want, err := e.LogDensity(q)
			if err != nil {
				t.Fatal(err)
			}
			got, err := cavi.LogJoint(f, q)
			if err != nil || math.Abs(got-want) > 1e-9*math.Max(1, math.Abs(want)) {
				t.Errorf("%s\nat %v the terms give %.12g (%v), the density is %.12g", program, q, got, err, want)
			}
		}
	}
}

// TestDualityEnds: marginals that are integrals of integrals end with the context, and are
// found without one.
func TestDualityEnds(t *testing.T) {
	m := model(t, head+`parameters { real<lower=-1, upper=1> phi; real<lower=0> s; }
	  model { s ~ gamma(3, 1.5); y[1] ~ normal(0, s / sqrt(1 - square(phi))); y[2] ~ normal(phi * y[1], s); }`, abc)
	f, err := m.Joint().(infer.Factorisable).Factorise(infer.Blocking{Choice: infer.ByParameter})
	if err != nil {
		t.Fatal(err)
	}
	q := make([]float64, m.Dim())
	d, err := cavi.Exactly(context.Background(), f, q)
	if err != nil || !d.Exact {
		t.Errorf("%+v, %v", d, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := cavi.Exactly(ctx, f, q); !infer.IsInterrupted(err) {
		t.Errorf("after the end of the context: %v", err)
	}
}
