package cavi_test

// This file compares Wishart and inverse Wishart factors with closed forms, with fixed points and
// bounds that mpmath found at 40 digits, and their densities with finite differences.

import (
	"math"
	"testing"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/cavi"
	"github.com/seed-12b88e03/ppl/infer/draws"
)

const pairsHead = `data { int N; int K; array[N] vector[2] y; } `
const pairsData = `{"N": 5, "K": 2, "y": [[0.3, 1.1], [-0.9, 0.2], [1.7, 2.4], [0.4, -0.6], [2.2, 1]]}`

// TestWishartSingle: with the mean known the factor is the posterior and the bound the evidence,
// both in closed form. 4,000 draws, 5 standard errors: a false alarm in a hundred thousand.
func TestWishartSingle(t *testing.T) {
	const evidence = -19.258884469894
	for _, c := range []struct {
		program, form string
		mean          [3]float64 // of the elements 1.1, 2.1 and 2.2
	}{
		{`parameters { cov_matrix[2] S; } model { S ~ inv_wishart(4, identity_matrix(2)); y ~ multi_normal([0, 0]', S); }`,
			"S: inverse wishart", [3]float64{1.63166666666667, 1.03166666666667, 1.56166666666667}},
		{`parameters { cov_matrix[2] S; } model { S ~ wishart(4, identity_matrix(2)); y ~ multi_normal_prec([0, 0]', S); }`,
			"S: wishart", [3]float64{1.5787345412066, -1.04294202882272, 1.64949959001202}},
		{`parameters { cov_matrix[2] S; } model { S ~ inv_wishart(4, 2 * identity_matrix(2)); y ~ multi_normal([0, 0]', S / 2); }`,
			"S: inverse wishart", [3]float64{2 * 1.63166666666667, 2 * 1.03166666666667, 2 * 1.56166666666667}},
	} {
		p := fit(t, model(t, pairsHead+c.program, pairsData), func(o *cavi.Options) { o.Draws = 4000 })
		if got := forms(p); got != c.form {
			t.Errorf("got %s, want %s", got, c.form)
		}
		lp, lq := p.Draws.Column(draws.LogTargetColumn)[0], p.Draws.Column(draws.LogApproximationColumn)[0]
		near(t, "the bound", p.Fit.ELBO.Value, evidence)
		for i := range lp {
			if math.Abs(lp[i]-lq[i]-evidence) > 1e-9 {
				t.Fatalf("%s: log p - log q is %g at a draw", c.program, lp[i]-lq[i])
			}
		}
		for i, name := range []string{"S.1.1", "S.2.1", "S.2.2"} {
			x := p.Draws.Column(name)
			if z := (draws.Mean(x) - c.mean[i]) / draws.SD(x) * math.Sqrt(4000); math.Abs(z) > 5 {
				t.Errorf("%s: mean of draws of %s is %g, exactly %g", c.program, name, draws.Mean(x), c.mean[i])
			}
		}
	}
}

// TestWishartFixedPoints compares bounds and the factor of the mean at the fixed point.
func TestWishartFixedPoints(t *testing.T) {
	for _, c := range []struct {
		program, form string
		elbo          float64
		mean          [2]float64
		sd            float64
	}{
		{program: `parameters { vector[2] m; cov_matrix[2] S; }
		  model { m ~ normal(0, 3); S ~ inv_wishart(4, identity_matrix(2)); y ~ multi_normal(m, S); }`,
			form: "m: normal; S: inverse wishart", elbo: -21.301087712187, mean: [2]float64{0.718961422303728, 0.800393164627631}, sd: 0.364194343991788},
		{program: `parameters { vector[2] m; cov_matrix[2] S; }
		  model { m ~ normal(0, 3); S ~ wishart(4, identity_matrix(2)); y ~ multi_normal_prec(m, S); }`,
			form: "m: normal; S: wishart", elbo: -21.301087712187, mean: [2]float64{0.718961422303728, 0.800393164627631}, sd: 0.364194343991788},
		// A precision of the mean that is a multiple of the matrix, as in Bishop's mixture (10.40).
		{program: `parameters { vector[2] m; cov_matrix[2] S; }
		  model { m ~ multi_normal_prec([0, 0]', 0.1 * S); S ~ wishart(4, identity_matrix(2)); y ~ multi_normal_prec(m, S); }`,
			form: "m: normal; S: wishart", elbo: -21.1702568996712, mean: [2]float64{0.725490196078431, 0.803921568627451}, sd: 0.343106054467626},
	} {
		m := model(t, pairsHead+c.program, pairsData)
		p := fit(t, m, nil)
		if got := forms(p); got != c.form {
			t.Errorf("got %s, want %s", got, c.form)
		}
		near(t, "the bound", p.Fit.ELBO.Value, c.elbo)
		at := make([]float64, m.Dim())
		at[1] = c.mean[1]
		mean, sd := normalOf(p, 0, at)
		near(t, "the mean of m[1]", mean, c.mean[0])
		near(t, "its sd given m[2]", sd, c.sd)
		gradients(t, p)
	}
}

// gradients compares the gradient of the approximation's density with central differences.
func gradients(t *testing.T, p *infer.Posterior) {
	t.Helper()
	a, _ := p.Approximation()
	q := []float64{0.3, -0.2, 0.4, 0.1, -0.3}
	grad := make([]float64, len(q))
	a.LogDensityGrad(q, grad)
	const h = 1e-5
	for i := range q {
		at := q[i]
		q[i] = at + h
		above := a.LogDensity(q)
		q[i] = at - h
		below := a.LogDensity(q)
		q[i] = at
		if d := (above - below) / (2 * h); math.Abs(d-grad[i]) > 1e-6*math.Max(1, math.Abs(d)) {
			t.Errorf("the gradient by coordinate %d is %g, by differences %g", i, grad[i], d)
		}
	}
}

// TestWishartMixture fits the mixture with Wishart precisions of Bishop, section 10.2.
func TestWishartMixture(t *testing.T) {
	p := fit(t, model(t, pairsHead+`
		parameters { simplex[K] w; array[K] vector[2] m; array[K] cov_matrix[2] W; array[N] int<lower=1, upper=K> z; }
		model { w ~ dirichlet(rep_vector(1, K)); z ~ categorical(w);
		  for (k in 1:K) { W[k] ~ wishart(4, identity_matrix(2)); m[k] ~ multi_normal_prec([0, 0]', 0.1 * W[k]); }
		  for (n in 1:N) y[n] ~ multi_normal_prec(m[z[n]], W[z[n]]); }`, pairsData).Joint(), func(o *cavi.Options) { o.Init.Radius = 2 })
	want := "z[1]: enumerated; z[2]: enumerated; z[3]: enumerated; z[4]: enumerated; z[5]: enumerated; w: dirichlet; " +
		"m[1,1], m[1,2]: normal; m[2,1], m[2,2]: normal; W[1]: wishart; W[2]: wishart"
	if got := forms(p); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
