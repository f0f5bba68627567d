// The prior's normalisation: exp(log prior) integrates to one over the unconstrained
// space, by quadrature in one and two dimensions.

package bind_test

import (
	"math"
	"testing"

	"github.com/seed-12b88e03/ppl/infer"
)

// integral sums exp(log prior) over a grid: the trapezoidal rule, which converges fast
// for the smooth densities of the unconstrained scale. t = sinh(s) reaches far tails.
func integral(t *testing.T, e infer.Tempered) float64 {
	t.Helper()
	const h, reach = 1.0 / 32, 5.5
	var nodes, weights []float64
	for s := -reach; s <= reach; s += h {
		nodes, weights = append(nodes, math.Sinh(s)), append(weights, h*math.Cosh(s))
	}
	prior := func(q []float64) float64 {
		p, _, err := e.LogDensityParts(q)
		if err != nil {
			if infer.IsReject(err) {
				return 0
			}
			t.Fatal(err)
		}
		return math.Exp(p)
	}
	sum := 0.0
	q := make([]float64, e.Dim())
	for i, x := range nodes {
		q[0] = x
		if e.Dim() == 1 {
			sum += weights[i] * prior(q)
			continue
		}
		for j, y := range nodes {
			q[1] = y
			sum += weights[i] * weights[j] * prior(q)
		}
	}
	return sum
}

func TestPriorIntegratesToOne(t *testing.T) {
	for _, c := range []struct{ name, parameters, model string }{
		{"normal", "real x;", "x ~ normal(1, 2);"},
		{"half normal", "real<lower=0> x;", "x ~ normal(0, 2);"},
		{"half normal off centre", "real<lower=0> x;", "x ~ normal(-3, 2);"},
		{"half Cauchy", "real<lower=0> x;", "x ~ student_t(3, 0, 1);"},
		{"upper bound", "real<upper=1> x;", "x ~ normal(0, 1);"},
		{"both bounds", "real<lower=-1, upper=2> x;", "x ~ normal(0, 1);"},
		{"uniform without a statement", "real<lower=-1, upper=4> x;", ""},
		{"uniform with one", "real<lower=-1, upper=4> x;", "x ~ uniform(-1, 4);"},
		{"gamma", "real<lower=0> x;", "x ~ gamma(2, 3);"},
		{"gamma from one on", "real<lower=1> x;", "x ~ gamma(2, 3);"},
		{"truncated", "real<lower=1> x;", "x ~ normal(0, 1) T[1, ];"},
		{"truncated, and bounded further", "real<lower=1> x;", "x ~ normal(0, 1) T[0, ];"},
		{"target", "real<lower=0> x;", "target += normal_lpdf(x | 0, 2);"},
		{"unnormalised target", "real<lower=0> x;", "target += normal_lupdf(x | 0, 2);"},
		{"a normaliser that the program subtracts", "real<lower=0> x;", "target += normal_lpdf(x | 0, 2) - 1 * normal_lccdf(0 | 0, 2);"},
		{"one for each element", "vector<lower=0>[2] x;", "target += normal_lpdf(x | 0, 2)\n - 2 * normal_lccdf(0 | 0, 2);"},
		{"from above", "real<upper=1> x; real y;", "target += normal_lpdf(y | 0, 1) + normal_lpdf(x | 0, 2) - normal_lcdf(1 | 0, 2);"},
		{"from both sides", "real<lower=0, upper=1> x;", "target += normal_lpdf(x | 0, 2) - log_diff_exp(normal_lcdf(1 | 0, 2), normal_lcdf(0 | 0, 2));"},
		{"collected priors", "real<lower=0> x; } transformed parameters { real lprior = 0; lprior += normal_lpdf(x | 0, 2) - 1 * normal_lccdf(0 | 0, 2);",
			"target += lprior;"},
		{"two half normals", "vector<lower=0>[2] x;", "x ~ normal(0, [1, 2]');"},
		{"a truncation that T counts", "real mu; real<lower=0> x;", "mu ~ normal(0, 1); x ~ normal(mu, 1) T[0, ];"},
		{"a scale and its half normal", "real<lower=0> s; real x;", "s ~ normal(0, 1); x ~ normal(0, 1 + s);"},
		{"ordered", "ordered[2] x;", "x ~ normal(0, 1);"},
		{"ordered by loop", "ordered[2] x;", "for (i in 1:2) x[i] ~ normal(0, 1);"},
		{"ordered with different priors", "ordered[2] x;", "x ~ normal([0, 1]', [1, 2]');"},
		{"positive ordered", "positive_ordered[2] x;", "x ~ normal(0, 1);"},
		{"simplex", "simplex[3] x;", "x ~ dirichlet([2, 3, 4]');"},
		{"uniform simplex", "simplex[3] x;", ""},
		{"uniform simplexes", "array[2] simplex[2] x;", ""},
		{"unit vector", "unit_vector[2] x;", ""},
		{"correlation", "corr_matrix[2] x;", "x ~ lkj_corr(2);"},
		{"uniform correlation", "corr_matrix[2] x;", ""},
		{"uniform correlation factor", "cholesky_factor_corr[2] x;", ""},
		{"correlation factor", "cholesky_factor_corr[2] x;", "x ~ lkj_corr_cholesky(3);"},
		{"sum to zero", "sum_to_zero_vector[3] x;", "x ~ normal(0.5, 2);"},
		{"stochastic matrix", "row_stochastic_matrix[2, 2] x;", ""},
		{"offset", "real<offset=2, multiplier=3> x;", "x ~ normal(0, 1);"},
		{"discrete", "array[2] int<lower=1, upper=3> z; real x;", "z[1] ~ categorical([0.2, 0.3, 0.5]'); x ~ normal(z[1], 1);"},
		{"cut counts", "int<lower=0, upper=3> z; real x;", "z ~ poisson(2); x ~ normal(z, 1);"},
		{"tuple", "tuple(real<lower=0>, real) x;", "x.1 ~ normal(0, 1); x.2 ~ normal(0, 1 + x.1);"},
	} {
		m := bound(t, "parameters { "+c.parameters+" } model { "+c.model+" }", "{}")
		e := m.NewEvaluator().(infer.Tempered)
		if err := m.Generative(); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		tolerance := 2e-6
		if c.name == "unit vector" { // which has no density at the origin
			tolerance = 2e-4
		}
		if got := integral(t, e); math.Abs(got-1) > tolerance {
			t.Errorf("%s: the prior integrates to %v", c.name, got)
		}
	}
}

func TestDensityStaysAsInStan(t *testing.T) {
	m := bound(t, "parameters { real<lower=0> x; } model { x ~ normal(0, 1); }", "{}")
	e := m.NewEvaluator().(infer.Tempered)
	q := []float64{0.3}
	lp, err := e.LogDensity(q)
	if err != nil {
		t.Fatal(err)
	}
	p, _, err := e.LogDensityParts(q)
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(p-lp-math.Ln2) > 1e-14 {
		t.Errorf("the prior exceeds the density by %v, want log 2", p-lp)
	}
}
