// Full conditionals: what is recognised, and draws against exact posteriors.

package bind_test

import (
	"context"
	"math"
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
	blocks, err := m.Conditionals()
	if err != nil {
		t.Fatal(err)
	}
	var parts []string
	for _, b := range blocks {
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
		{`parameters { matrix[3, 2] U; matrix[2, 2] V; real<lower=0> t; }
		  model { to_vector(U) ~ normal(0, 1); to_vector(V) ~ normal(0, 1); t ~ gamma(2, 1);
		    append_row(y, append_row(x, y)) ~ normal(append_row(to_vector(U * V), to_vector(U[, 1])), inv_sqrt(t)); }`, "U: normal; V: normal; t: gamma"},
		{`parameters { row_vector[3] r; matrix[3, 3] M; vector[3] c; }
		  model { r ~ normal(0, 1); to_vector(M) ~ normal(0, 1); c ~ normal(0, 1); y ~ normal(r * M, 1); x ~ normal(to_vector(M * (c * r))[1:3], 1); }`,
			"r: normal; M: normal; c: normal"},
		{`parameters { simplex[2] th; vector[2] mu; real<lower=0> v; array[N] int<lower=1, upper=2> z; }
		  model { th ~ dirichlet([1, 1]'); mu ~ normal(0, 3); v ~ inv_gamma(2, 2); z ~ categorical(th); y ~ normal(mu[z], sqrt(v)); }`,
			"z: enumerated; th: dirichlet; mu: normal; v: inverse gamma"},
		{`parameters { real<lower=0, upper=1> p; } model { p ~ beta(2, 3); n ~ neg_binomial(4, p / (1 - p)); }`, "p: beta"},
		{`parameters { vector<lower=0>[3] r; } model { r ~ gamma(2, 1); n ~ poisson(r); }`, "r: gamma"},
		{`parameters { vector[2] m; } model { m ~ multi_normal([0, 0]', [[2, 1], [1, 2]]); y[1] ~ normal(m[1] + 2 * m[2], 1); }`, "m: normal"},
		{`parameters { vector[2] m; cov_matrix[2] S; } model { S ~ inv_wishart(5, identity_matrix(2)); m ~ normal(0, 3); [1, 2]' ~ multi_normal(m, S); }`,
			"m: normal; S: inverse wishart"},
		{`parameters { vector[2] m; cov_matrix[2] P; } model { P ~ wishart(5, identity_matrix(2)); m ~ normal(0, 3); [1, 2]' ~ multi_normal_prec(m, P); }`,
			"m: normal; P: wishart"},
		{`parameters { vector[2] m; cholesky_factor_cov[2] L; } model { m ~ normal(0, 3); [1, 2]' ~ multi_normal_cholesky(m, L); }`,
			"m: normal; L: slice"},
		{`parameters { vector<offset=x, multiplier=2>[3] a; real<multiplier=3> b; real<lower=0> t; }
		  model { a ~ normal(b, 2); b ~ normal(0, 3); t ~ gamma(2, 1); y ~ normal(a, inv_sqrt(t)); }`, "a, b: normal; t: gamma"},
		{`parameters { vector[3] a; } model { a ~ normal(0, 1); for (i in 1:N) n[i] ~ poisson(exp(a[i])); }`, "a: slice"},
		{`parameters { real<lower=0> a; real<lower=a> b; } model { a ~ gamma(2, 1); b ~ gamma(2, 1); }`, "a: slice; b: slice"},
		{`parameters { real<lower=0> r; int<lower=1, upper=2> k; } model { r ~ gamma(2, 1); k ~ categorical([0.5, 0.5]'); n ~ poisson(r * k); }`,
			"k: enumerated; r: gamma"},
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
		// The posterior is that without offsets and multipliers: y given b has variance 10, its mean 5.
		{"offset and multiplier", `data { vector[2] y; } parameters { vector<offset=y, multiplier=[2, 0.5]'>[2] a; real<offset=-3> b; }
		  model { b ~ normal(1, 2); a ~ normal(b, 1); y ~ normal(a, 3); }`,
			`{"y": [4, 1]}`, 2, 1 + 4*(2.5-1)/(4+5), math.Sqrt(4 - 16.0/(4+5))},
		{"slice with offset and multiplier", `parameters { real<offset=2, multiplier=3> x; } model { x ~ logistic(1, 0.5); }`, `{}`, 0, 1, 0.5 * math.Pi / math.Sqrt(3)},
		{"dirichlet", `data { array[3] int n; } parameters { simplex[3] th; } model { th ~ dirichlet([1, 2, 3]'); n ~ multinomial(th); }`,
			`{"n": [4, 0, 2]}`, 1, 2.0 / 12, math.Sqrt(2.0 * 10 / (144 * 13))},
		{"bernoulli", `data { array[3] int n; } parameters { real<lower=0, upper=1> p; } model { p ~ beta(2, 3); n ~ bernoulli(p); }`,
			`{"n": [1, 0, 1]}`, 0, 0.5, 1.0 / 6},
		{"negative binomial", `data { int n; } parameters { real<lower=0, upper=1> p; } model { p ~ beta(2, 3); n ~ neg_binomial(3, p / (1 - p)); }`,
			`{"n": 4}`, 0, 5.0 / 12, math.Sqrt(5.0 * 7 / (144 * 13))},
		{"exponential", `data { vector[3] y; } parameters { real<lower=0> r; } model { r ~ gamma(2, 1); y ~ exponential(r); }`,
			`{"y": [0.5, 1, 1.5]}`, 0, 5.0 / 4, math.Sqrt(5) / 4},
		{"gamma rate", `data { vector[3] y; } parameters { real<lower=0> r; } model { r ~ gamma(2, 1); y ~ gamma(2, r); }`,
			`{"y": [0.5, 1, 1.5]}`, 0, 8.0 / 4, math.Sqrt(8) / 4},
		{"many rates", `data { array[3] int n; } parameters { vector<lower=0>[3] r; } model { r ~ gamma(2, 1); n ~ poisson(r); }`,
			`{"n": [2, 0, 5]}`, 2, 7.0 / 2, math.Sqrt(7) / 2},
		{"precision", `data { vector[4] y; } parameters { real<lower=0> t; } model { t ~ gamma(4, 3); y ~ normal(1, inv_sqrt(t)); }`,
			`{"y": [0.5, 1.5, 2.5, 1]}`, 0, 6 / 4.375, math.Sqrt(6) / 4.375},
		{"precision by a root", `data { vector[4] y; } parameters { real<lower=0> t; } model { t ~ gamma(4, 3); y ~ normal(1, 1 / sqrt(t)); }`,
			`{"y": [0.5, 1.5, 2.5, 1]}`, 0, 6 / 4.375, math.Sqrt(6) / 4.375},
		{"scaled inverse chi-square", `data { vector[4] y; } parameters { real<lower=0> v; } model { v ~ scaled_inv_chi_square(8, 0.5); y ~ normal(1, sqrt(v)); }`,
			`{"y": [0.5, 1.5, 2.5, 1]}`, 0, 2.375 / 5, 2.375 / 5 / math.Sqrt(4)},
		{"categorical", `data { array[4] int n; } parameters { simplex[3] th; } model { th ~ dirichlet([1, 2, 3]'); n ~ categorical(th); }`,
			`{"n": [1, 1, 3, 1]}`, 0, 0.4, math.Sqrt(4.0 * 6 / (100 * 11))},
		// Prior precision [[2, -1], [-1, 2]]/3, likelihood that of one observation with
		// precision [[1, 0], [0, 1]]/2: the posterior precision is [[7, -2], [-2, 7]]/6.
		{"multivariate normal", `data { vector[2] y; } parameters { vector[2] m; }
		  model { m ~ multi_normal([0, 0]', [[2, 1], [1, 2]]); y ~ multi_normal_cholesky(m, diag_matrix([sqrt(2), sqrt(2)]')); }`,
			`{"y": [3, 0]}`, 0, 7 * 6 * 1.5 / 45, math.Sqrt(7 * 6.0 / 45)},
		{"multivariate normal by precision", `data { vector[2] y; } parameters { vector[2] m; }
		  model { m ~ multi_normal_prec([0, 0]', [[0.66666666666666663, -0.33333333333333331], [-0.33333333333333331, 0.66666666666666663]]);
		    y ~ multi_normal(m, [[2, 0], [0, 2]]); }`, `{"y": [3, 0]}`, 1, 2 * 6 * 1.5 / 45, math.Sqrt(7 * 6.0 / 45)},
		// Inverse Wishart(nu + n, Psi + SS): means of variances and covariances over nu + n - k - 1 = 8.
		{"covariance", `data { array[4] vector[2] y; } parameters { cov_matrix[2] S; }
		  model { S ~ inv_wishart(7, [[2, 0.5], [0.5, 1]]); y ~ multi_normal([0, 0]', S); }`,
			`{"y": [[1, 0.5], [-1, 0], [0.5, 1], [0, -0.5]]}`, 0, 4.25 / 8, math.Sqrt(2 * 4.25 * 4.25 / (64 * 6))},
		{"covariance off the diagonal", `data { array[4] vector[2] y; } parameters { cov_matrix[2] S; }
		  model { S ~ inv_wishart(7, [[2, 0.5], [0.5, 1]]); y ~ multi_normal([0, 0]', S); }`,
			`{"y": [[1, 0.5], [-1, 0], [0.5, 1], [0, -0.5]]}`, 1, 1.5 / 8,
			math.Sqrt((10*1.5*1.5 + 8*4.25*2.5) / (9 * 64 * 6))},
		// Wishart(nu + n, (V^-1 + SS)^-1) with V^-1 = Psi above: mean 11 * inverse([[4.25, 1.5], [1.5, 2.5]]).
		{"precision matrix", `data { array[4] vector[2] y; } parameters { cov_matrix[2] P; }
		  model { P ~ wishart(7, inverse([[2, 0.5], [0.5, 1]])); y ~ multi_normal_prec([0, 0]', P); }`,
			`{"y": [[1, 0.5], [-1, 0], [0.5, 1], [0, -0.5]]}`, 0, 11 * 2.5 / 8.375, 2.5 / 8.375 * math.Sqrt(22)},
		{"constraint on a transformed parameter", `parameters { real x; } transformed parameters { real<lower=0> y = x; } model { x ~ normal(0, 1); }`,
			`{}`, 0, math.Sqrt(2 / math.Pi), math.Sqrt(1 - 2/math.Pi)},
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

// TestGibbsAgreesWithNUTS compares posterior means of models in which several
// conditionals meet, among them a hierarchical regression like that of the rats. In all
// about 60 differences are within 4.5 joint Monte Carlo errors, which fails by chance
// once in 2,000 runs.
func TestGibbsAgreesWithNUTS(t *testing.T) {
	for _, c := range []struct{ name, program, data, forms string }{
		{"rats", ratsProgram, ratsData(8), "a, b, ma, mb: normal; sa: slice; sb: slice; ty: gamma"},
		{"variances", `
data { int N; vector[N] x; vector[N] y; array[N] int g; }
parameters { vector[2] a; real b; real m; real<lower=0> v; real<lower=0> w; }
model {
  a ~ normal(m, sqrt(w)); b ~ normal(0, 5); m ~ normal(0, 2); v ~ inv_gamma(2, 1); w ~ scaled_inv_chi_square(4, 1);
  y ~ normal(a[g] + b * x, sqrt(v));
}`, `{"N": 6, "x": [0.1, 1.4, 2, -1, 0.3, 0.8], "y": [1.2, 0.3, 2.2, 0.5, 1.9, 3.0], "g": [1, 2, 1, 2, 1, 2]}`,
			"a, b, m: normal; v: inverse gamma; w: inverse gamma"},
		{"offsets", `
parameters { vector<offset=[9, -9, 0, 3]', multiplier=0.2>[4] a; real<lower=0> w; }
model { w ~ inv_gamma(3, 2); a ~ normal(0, sqrt(w)); [1, 2, 0, -2]' ~ normal(a, 1); }`, `{}`, "a: normal; w: inverse gamma"},
		{"vectors", `
data { int N; array[N] vector[2] y; }
parameters { array[N] vector[2] b; vector[2] m; cov_matrix[2] S; cov_matrix[2] P; }
model {
  m ~ multi_normal([0, 0]', [[4, 1], [1, 4]]); S ~ inv_wishart(6, [[2, 0.3], [0.3, 1]]); P ~ wishart(6, [[0.3, 0], [0, 0.5]]);
  b ~ multi_normal(m, S);
  for (i in 1:N) y[i] ~ multi_normal_prec(b[i], P);
}`, `{"N": 4, "y": [[1, 0.5], [-1, 0], [0.5, 1], [0, -0.5]]}`, "b, m: normal; S: inverse wishart; P: wishart"},
		{"counts", `
data { array[4] int n; array[3] int k; }
parameters { vector<lower=0>[4] r; real<lower=0> rate; real<lower=0, upper=1> p; simplex[3] th; }
model {
  rate ~ gamma(3, 2); r ~ gamma(2, rate); n ~ poisson(r); p ~ beta(2, 2);
  k[1] ~ neg_binomial(3, p / (1 - p)); k[2] ~ binomial(8, p); k ~ multinomial(th); th ~ dirichlet([1, 2, 3]');
}`, `{"n": [2, 0, 5, 1], "k": [4, 3, 1]}`, "r: gamma; rate: gamma; p: beta; th: dirichlet"},
	} {
		m := bound(t, c.program, c.data)
		if got := forms(t, m); got != c.forms {
			t.Fatalf("%s: got %s, want %s", c.name, got, c.forms)
		}
		o := nuts.DefaultOptions()
		o.Warmup, o.Draws, o.Chains = 500, 1500, 2
		n, err := nuts.New(o)
		if err != nil {
			t.Fatal(err)
		}
		x, y := run(t, gibbsMethod(t, 200, 4000), m.Joint()).Summaries(), run(t, n, m).Summaries()
		for i := 1; i < len(x); i++ {
			if d := math.Abs(x[i].Mean - y[i].Mean); d > 4.5*math.Hypot(x[i].MCSE, y[i].MCSE) {
				t.Errorf("%s, %s: %v (error %v) by gibbs, %v (error %v) by nuts", c.name, x[i].Name, x[i].Mean, x[i].MCSE, y[i].Mean, y[i].MCSE)
			}
		}
	}
}

// TestConditionalReasons reports what stands in the way, and where.
func TestConditionalReasons(t *testing.T) {
	for _, c := range []struct{ program, want string }{
		{"parameters { real m; real<lower=0> s; }\nmodel {\n  s ~ exponential(1);\n  m ~ normal(0, s);\n}",
			"line 4, column 3 brings in s^-2, where the gamma has log(s) and s only; line 3, column 3 brings in s, where the inverse gamma has log(s) and s^-1 only"},
		{"parameters { vector[2] a; }\nmodel {\n  a ~ normal(0, 1);\n  3 ~ poisson(exp(a[1] + a[2]));\n}",
			"line 4, column 3 brings in a function of it, where the normal has a[1] and its square only"},
		{"parameters { simplex[2] w; }\nmodel {\n  w[1] ~ normal(0, 1);\n}",
			"line 3, column 3 brings in w[1]^2, where the Dirichlet has logarithms only"},
		{"parameters { real<lower=1> x; }\nmodel {\n  x ~ normal(0, 1);\n}",
			"its bounds cut off part of what a known conditional reaches"},
		{"parameters { real a; real<lower=a> b; }\nmodel {\n  a ~ normal(0, 1);\n  b ~ normal(0, 1);\n}",
			"it is a bound of b, line 1, column 36"},
		{"parameters { real m; real<offset=m> a; }\nmodel {\n  m ~ normal(0, 1);\n  a ~ normal(m, 1);\n}",
			"its offset or multiplier depends on parameters; without these words it may have a known conditional"},
		{"parameters { ordered[2] m; }\nmodel {\n  m ~ normal(0, 1);\n}", "no conditional is known under its constraint, ordered"},
	} {
		blocks, err := bound(t, c.program, "{}").Conditionals()
		if err != nil {
			t.Fatal(err)
		}
		found := false
		for _, b := range blocks {
			found = found || b.Reason == c.want
		}
		if !found {
			t.Errorf("%s\ngot  %+v\nwant %s", c.program, blocks, c.want)
		}
	}
}

// TestScaleMove names the joint moves of scales: of standard deviations with their
// effects, not with the effects' mean. That they leave the posterior as it is, the
// agreement with NUTS says.
func TestScaleMove(t *testing.T) {
	var got []string
	for _, b := range bound(t, ratsProgram, ratsData(3)).Joint().NewEvaluator().(infer.Conditionals).Blocks() {
		if b.Form == "stretch" {
			got = append(got, b.Name)
		}
	}
	want := "sa with a[1] and 2 more; sb with b[1] and 2 more; ty with a[1] and 2 more"
	if s := strings.Join(got, "; "); s != want {
		t.Errorf("got %s, want %s", s, want)
	}
}
