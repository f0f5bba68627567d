// Missing elements of data against programs in which they were written as parameters.

package bind_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/ir/bind"
	"github.com/seed-12b88e03/ppl/ir/bind/bindtest"
	"github.com/seed-12b88e03/ppl/ir/data"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// imputed binds a program to data of which elements may be missing.
func imputed(program, json string, names ...string) (*bind.Model, error) {
	lib := stdlib.New()
	p, err := bindtest.Compile("test.stan", program, ".", lib)
	if err != nil {
		return nil, err
	}
	in, err := data.ReadBytes([]byte(json), "test.json", func(string) bool { return true })
	if err != nil {
		return nil, err
	}
	return bind.Bind(p, lib, in, bind.Options{Seed: 1, Impute: names})
}

// byHand are models with missing data, and the same written out, with what is missing as parameters u, v, ... in its place.
var byHand = []struct {
	name, model, data string
	impute            string
	want              string // columns of the missing elements
	hand, known       string
}{
	{"a vector and a predictor",
		`data { int N; vector[N] x; vector[N] y; } parameters { real a; real b; real<lower=0> s; }
		 model { a ~ normal(0, 2); s ~ exponential(1); x ~ normal(a, 2); y ~ normal(a + b * x, s); }
		 generated quantities { real m = y[2] + x[1]; }`,
		`{"N": 4, "x": [null, 1.2, -0.4, null], "y": [0.3, null, 1.1, -2]}`, "x y", "x.1 x.4 y.2",
		`parameters { real a; real b; real<lower=0> s; vector[2] u; real v; }
		 transformed parameters { vector[4] x = [u[1], 1.2, -0.4, u[2]]'; vector[4] y = [0.3, v, 1.1, -2]'; }
		 model { a ~ normal(0, 2); s ~ exponential(1); x ~ normal(a, 2); y ~ normal(a + b * x, s); }`, `{}`},
	{"a loop, with a bound, and autoregression",
		`data { int N; array[N] real<lower=0.5> y; } parameters { real a; real<lower=0> s; }
		 model { y[1] ~ lognormal(a, 1); for (n in 2:N) target += lognormal_lpdf(y[n] | a * y[n - 1], s); }`,
		`{"N": 5, "y": [null, 1.5, null, null, 0.7]}`, "y", "y.1 y.3 y.4",
		`parameters { real a; real<lower=0> s; array[3] real<lower=0.5> u; }
		 transformed parameters { array[5] real y = {u[1], 1.5, u[2], u[3], 0.7}; }
		 model { y[1] ~ lognormal(a, 1); for (n in 2:5) y[n] ~ lognormal(a * y[n - 1], s); }`, `{}`},
	{"a slice of a row vector, truncated",
		`data { int N; row_vector<upper=2>[N] y; } parameters { real a; }
		 model { y[1] ~ normal(0, 1); y[2:N] ~ normal(a * y[1:(N - 1)], 1) T[, 2]; }`,
		`{"N": 4, "y": [0.1, null, -1, null]}`, "y", "y.2 y.4",
		`parameters { real a; row_vector<upper=2>[2] u; }
		 transformed parameters { row_vector[4] y = [0.1, u[1], -1, u[2]]; }
		 model { y[1] ~ normal(0, 1); for (n in 2:4) y[n] ~ normal(a * y[n - 1], 1) T[, 2]; }`, `{}`},
	{"a matrix with bounds by element",
		`data { matrix[2, 3] hi; matrix<lower=0, upper=hi>[2, 3] y; array[2] vector[3] m; }  parameters { real<lower=0> s; }
		 model { for (i in 1:2) for (j in 1:3) y[i, j] ~ normal(m[i][j], s); }`,
		`{"hi": [[1, 2, 3], [4, 5, 6]], "y": [[0.5, null, 1], [null, 2, null]], "m": [[1, 2, 3], [4, 5, 6]]}`, "y", "y.2.1 y.1.2 y.2.3",
		`data { array[2] vector[3] m; } parameters { real<lower=0> s; vector<lower=0, upper=[4, 2, 6]'>[3] u; }
		 transformed parameters { matrix[2, 3] y = [[0.5, u[2], 1], [u[1], 2, u[3]]]; }
		 model { for (i in 1:2) for (j in 1:3) y[i, j] ~ normal(m[i][j], s); }`, `{"m": [[1, 2, 3], [4, 5, 6]]}`},
	{"rows of a multivariate normal",
		`data { int N; array[N] vector[2] y; } parameters { vector[2] mu; cov_matrix[2] S; }
		 model { mu ~ normal(0, 3); y ~ multi_normal(mu, S); }`,
		`{"N": 3, "y": [[1, null], [0.5, 0.2], [null, null]]}`, "y", "y.3.1 y.1.2 y.3.2",
		`parameters { vector[2] mu; cov_matrix[2] S; vector[3] u; }
		 model { mu ~ normal(0, 3); array[3] vector[2] y = {[1, u[2]]', [0.5, 0.2]', [u[1], u[3]]'}; y ~ multi_normal(mu, S); }`, `{}`},
	{"a single number, and a user's density",
		`functions { real twice_lpdf(real y, real m) { return normal_lpdf(y | m, 2); } }
		 data { real z; vector[2] y; } parameters { real m; } model { m ~ std_normal(); z ~ student_t(4, m, 1); for (i in 1:2) y[i] ~ twice(m + z); }`,
		`{"z": null, "y": [null, 1]}`, "z y", "z y.1",
		`parameters { real m; real z; real u; }
		 model { m ~ std_normal(); z ~ student_t(4, m, 1); u ~ normal(m + z, 2); target += normal_lpdf(1 | m + z, 2); }`, `{}`},
	{"a divided sum, a function that adds to the target, and a mixture",
		`functions { real part(array[] real y, int start, int end, real m) { return normal_lpdf(y | m, 2); } void add_lp(array[] real z, real m) { z ~ normal(m, 1); } }
		 data { array[3] real y; array[2] real z; vector[2] w; } parameters { real m; }
		 model { m ~ std_normal(); target += reduce_sum(part, y, 1, m); add_lp(z, m); target += log_mix(0.3, normal_lpdf(w | m, 1), normal_lpdf(w | m, 5)); }`,
		`{"y": [1, null, 2], "z": [null, 3], "w": [null, null]}`, "y z w", "y.2 z.1 w.1 w.2",
		`parameters { real m; real u; real v; vector[2] w; }
		 model { m ~ std_normal(); u ~ normal(m, 2); v ~ normal(m, 1); target += normal_lpdf({1, 2} | m, 2) + normal_lpdf(3 | m, 1);
		   target += log_sum_exp(log(0.3) + normal_lpdf(w | m, 1), log(0.7) + normal_lpdf(w | m, 5)); }`, `{}`},
	{"integers, summed over",
		`data { int N; array[N] int<lower=0, upper=1> z; array[N] int<lower=0, upper=9> c; vector[N] y; }
		 parameters { real<lower=0, upper=1> p; vector[2] mu; real<lower=0> r; }
		 model { z ~ bernoulli(p); for (n in 1:N) { y[n] ~ normal(mu[z[n] + 1], 1); c[n] ~ poisson(r * (1 + z[n])); } r ~ exponential(1); }`,
		`{"N": 3, "z": [0, null, 1], "c": [2, 4, null], "y": [0.4, 1, 2]}`, "z c", "z.2 c.3",
		`parameters { real<lower=0, upper=1> p; vector[2] mu; real<lower=0> r; }
		 model {
		   target += bernoulli_lpmf(0 | p) + bernoulli_lpmf(1 | p) + normal_lpdf(0.4 | mu[1], 1) + normal_lpdf(2 | mu[2], 1) + poisson_lpmf(2 | r);
		   target += log_sum_exp(bernoulli_lpmf(0 | p) + normal_lpdf(1 | mu[1], 1) + poisson_lpmf(4 | r),
		                         bernoulli_lpmf(1 | p) + normal_lpdf(1 | mu[2], 1) + poisson_lpmf(4 | 2 * r));
		   target += poisson_lcdf(9 | 2 * r);
		   r ~ exponential(1);
		 }`, `{}`},
}

// A model with missing data has the density, and the gradient, of the one in which they are written as parameters.
func TestMissingAsByHand(t *testing.T) {
	for _, c := range byHand {
		m, err := imputed(c.model, c.data, strings.Fields(c.impute)...)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		columns := strings.Join(m.ParameterColumns(), " ")
		if !strings.HasSuffix(columns, " "+c.want) && columns != c.want {
			t.Errorf("%s: the columns are %s, want %s at the end", c.name, columns, c.want)
		}
		hand := bound(t, c.hand, c.known)
		if m.Dim() != hand.Dim() {
			t.Errorf("%s: %d coordinates, by hand %d", c.name, m.Dim(), hand.Dim())
			continue
		}
		a, b := m.NewEvaluator(), hand.NewEvaluator()
		q, own, want := make([]float64, m.Dim()), make([]float64, m.Dim()), make([]float64, m.Dim())
		for seed := range uint64(5) {
			r := stream(seed)
			for i := range q {
				q[i] = r.NormFloat64()
			}
			lp, err := a.LogDensityGrad(q, own)
			lpHand, errHand := b.LogDensityGrad(q, want)
			if err != nil || errHand != nil || !(math.Abs(lp-lpHand) <= 1e-11*(1+math.Abs(lpHand))) {
				t.Errorf("%s: %v %v: the log density is %v, by hand %v", c.name, err, errHand, lp, lpHand)
			}
			for i := range q {
				if !(math.Abs(own[i]-want[i]) <= 1e-9*(1+math.Abs(want[i]))) {
					t.Errorf("%s: the derivative by coordinate %d is %v, by hand %v", c.name, i+1, own[i], want[i])
				}
			}
		}
	}
}

// With a normal mean, normal outcomes and some of them missing, the joint density is evidence times posterior in closed
// form; the likelihood is that of what was observed, and the prior that of all else.
func TestMissingOutcomesInClosedForm(t *testing.T) {
	y := []float64{0.3, 1.9, -0.2}
	m, err := imputed(`data { int N; vector[N] y; } parameters { real mu; } model { mu ~ std_normal(); y ~ normal(mu, 1); }`,
		`{"N": 5, "y": [0.3, null, 1.9, NaN, -0.2]}`, "y")
	if err != nil {
		t.Fatal(err)
	}
	normal := func(x, mu, v float64) float64 { return -0.5*(x-mu)*(x-mu)/v - 0.5*math.Log(2*math.Pi*v) }
	// mu given y has variance 1/4; the evidence is the product of predictions one after the other.
	evidence, sum := 0.0, 0.0
	for n, x := range y {
		evidence += normal(x, sum/float64(n+1), 1+1/float64(n+1))
		sum += x
	}
	e := m.NewEvaluator()
	for seed := range uint64(5) {
		r := stream(seed)
		q := []float64{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}
		want := evidence + normal(q[0], sum/4, 0.25) + normal(q[1], q[0], 1) + normal(q[2], q[0], 1)
		if lp, err := e.LogDensity(q); err != nil || !(math.Abs(lp-want) < 1e-12) {
			t.Errorf("%v: the log density is %v, in closed form %v", err, lp, want)
		}
		likelihood := 0.0
		for _, x := range y {
			likelihood += normal(x, q[0], 1)
		}
		prior, l, err := e.(infer.Tempered).LogDensityParts(q)
		if err != nil || !(math.Abs(l-likelihood) < 1e-12) || !(math.Abs(prior+l-want) < 1e-12) {
			t.Errorf("%v: the likelihood is %v, want %v; the prior is %v, want %v", err, l, likelihood, prior, want-likelihood)
		}
	}
	o, err := m.NewObservations(0)
	if err != nil || o.Len() != len(y) {
		t.Fatalf("%v: the likelihood has %v factors, want %d", err, o, len(y))
	}
}

// A missing predictor given the outcome has the conditional distribution of a bivariate normal.
func TestMissingPredictorInClosedForm(t *testing.T) {
	m, err := imputed(`data { vector[2] x; vector[2] y; } model { x ~ normal(1, 2); y ~ normal(0.5 + 3 * x, 0.7); }`, `{"x": [null, 2], "y": [-1, 5]}`, "x")
	if err != nil {
		t.Fatal(err)
	}
	v := 9*4 + 0.49 // of y
	mean, variance := 1+3*4/v*(-1-3.5), 4-9*16/v
	e := m.NewEvaluator()
	grad := make([]float64, 1)
	for _, x := range []float64{-2, 0, 0.4, 3} {
		if _, err := e.LogDensityGrad([]float64{x}, grad); err != nil || !(math.Abs(grad[0]-(mean-x)/variance) < 1e-9*(1+math.Abs(grad[0]))) {
			t.Errorf("%v: the score of x[1] at %v is %v, in closed form %v", err, x, grad[0], (mean-x)/variance)
		}
	}
}

// What cannot be a parameter is refused, with the element and the reason.
func TestMissingRefused(t *testing.T) {
	for _, c := range []struct{ model, data, impute, want string }{
		{`data { vector[2] x; vector[2] y; } parameters { real b; } model { b ~ std_normal(); y ~ normal(b * x, 1); }`, `{"x": [1, null], "y": [1, 2]}`, "x", "x[2] is missing, and the model gives x no distribution"},
		{`data { vector[3] y; } parameters { real b; } model { b ~ std_normal(); y[2:3] ~ normal(b * y[1:2], 1); }`, `{"y": [null, 2, null]}`, "y", "y[1] is missing, and the model gives this element no distribution"},
		{`data { int<lower=0, upper=3> N; vector[N] y; } model { N ~ binomial(3, 0.5); y ~ std_normal(); }`, `{"N": null, "y": [1]}`, "N", "N is missing, and the size or a bound of a variable depends on N"},
		{`data { vector[2] y; } transformed data { real m = mean(y); } model { y ~ normal(m, 1); }`, `{"y": [1, null]}`, "y", "y[2] is missing, and transformed data, which are computed before there are parameters, read y"},
		{`data { simplex[2] y; } model { y ~ dirichlet([1, 1]'); }`, `{"y": [0.5, null]}`, "y", "y[2] is missing, and the elements of a simplex depend on each other"},
		{`data { array[2] int<lower=0> y; } parameters { real<lower=0> r; } model { y ~ poisson(r); }`, `{"y": [1, null]}`, "y", "y[2] is missing, and an integer can be summed out between two bounds only"},
		{`data { vector<lower=0>[2] y; } model { y ~ lognormal(0, 1); }`, `{"y": [-1, null]}`, "y", "y[1] is -1, but must be greater than or equal to 0"},
		{`data { tuple(real, real) y; } model { y.1 ~ std_normal(); }`, `{"y": {"1": null, "2": 1}}`, "y", "the value is missing"},
		{`data { vector[2] x; vector[2] y; } model { y ~ std_normal(); }`, `{"x": [NaN, 1], "y": [1, null]}`, "y", "x[1]: the value is missing (NaN); leave the observation out, or have --impute x"},
		{`data { vector[2] y; } model { y ~ std_normal(); }`, `{"y": [1, null]}`, "z", "no data variable z"},
	} {
		if _, err := imputed(c.model, c.data, c.impute); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: found %v, want %s", c.model, err, c.want)
		}
	}
	// Sizes are known, whatever is missing.
	if _, err := imputed(`data { vector[2] y; } transformed data { int n = size(y); } parameters { vector[num_elements(y)] z; } model { z ~ normal(y, n); y ~ std_normal(); }`, `{"y": [1, null]}`, "y"); err != nil {
		t.Error(err)
	}
}

// Where a statement cannot be divided, there is no prior of the missing elements, which is said.
func TestMissingTogether(t *testing.T) {
	m, err := imputed(byHand[4].model, byHand[4].data, "y")
	if err != nil {
		t.Fatal(err)
	}
	const want = "this statement covers known and missing elements together"
	var missing *infer.MissingError
	if err := m.NewEvaluator().(infer.PriorSampler).DrawPrior(stream(1), make([]float64, m.Dim())); !errors.As(err, &missing) || !strings.Contains(err.Error(), want) {
		t.Errorf("found %v, want %s", err, want)
	}
	if err := bind.Unscaled(m); err == nil || !strings.Contains(err.Error(), "y[3,1] is missing") {
		t.Errorf("powers of statements: found %v", err)
	}
	if _, err := m.NewObservations(0); err == nil {
		t.Error("rows that are known in part have no factor each")
	}
}

// The log density of a row written back from its columns, and the names of discrete elements, are those of the model.
func TestMissingRows(t *testing.T) {
	m, err := imputed(byHand[0].model, byHand[0].data, "x", "y")
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{"x[1]", "x[4]", "y[2]"}, bind.Imputed(m)); d != "" {
		t.Error(d)
	}
	q := []float64{0.1, -0.2, 0.3, 0.4, 0.5, 0.6}
	row := make([]float64, len(m.Columns()))
	if err := m.NewEvaluator().Write(q, stream(1), row); err != nil {
		t.Fatal(err)
	}
	if got := row[len(row)-1]; got != q[5]+q[3] {
		t.Errorf("y[2] + x[1] is %v, want %v", got, q[5]+q[3])
	}
	back, err := m.UnconstrainRow(row[:len(m.ParameterColumns())])
	if d := cmp.Diff(fmt.Sprintf("%.12g", q), fmt.Sprintf("%.12g", back)); err != nil || d != "" {
		t.Error(err, d)
	}
	if d := cmp.Diff([]string{"a", "b", "s", "x.1", "x.4", "y.2"}, m.UnconstrainedNames()); d != "" {
		t.Error(d)
	}
}

// Missing outcomes have their prior given the predictors that are known, from which the prior is drawn, too.
func TestMissingPriorGivenKnown(t *testing.T) {
	m, err := imputed(`data { vector[3] x; vector[3] y; } parameters { real<lower=0, upper=1> a; }
	  model { x ~ normal(a, 1); for (n in 1:3) y[n] ~ normal(2 * x[n], 1e-6); }`, `{"x": [7, null, 5], "y": [null, null, 10]}`, "x", "y")
	if err != nil {
		t.Fatal(err)
	}
	e := m.NewEvaluator()
	q := make([]float64, m.Dim())
	if err := e.(infer.PriorSampler).DrawPrior(stream(1), q); err != nil {
		t.Fatal(err)
	}
	if !(math.Abs(q[2]-14) < 1e-5) || !(math.Abs(q[3]-2*q[1]) < 1e-5) { // ten standard deviations
		t.Errorf("the prior draws y[1] = %v and y[2] = %v, want 14 and %v", q[2], q[3], 2*q[1])
	}
	a := 1 / (1 + math.Exp(-q[0]))
	normal := func(z, s float64) float64 { return -0.5*z*z/s/s - math.Log(s) - 0.5*math.Log(2*math.Pi) }
	want := normal(7-a, 1) + normal(5-a, 1) + normal(0, 1e-6)
	if _, l, err := e.(infer.Tempered).LogDensityParts(q); err != nil || !(math.Abs(l-want) < 1e-9) {
		t.Errorf("%v: the likelihood is %v, want %v: that of what was observed", err, l, want)
	}
}

// Data sets are drawn as a whole, and lack the elements that are missing when the model is bound to them: over draws of the normal model, mu and a missing
// outcome, given those that are known in the model's turn, have the posterior in closed form. Means and variances of 4,000 standardised draws are
// within 4 standard errors of 0 and 1, and the draws do not depend on the data.
func TestOracleMissingSimulated(t *testing.T) {
	m, err := imputed(`data { int N; vector[N] y; array[2] int<lower=0, upper=60> k; } parameters { real mu; } model { mu ~ std_normal(); y ~ normal(mu, 1); k ~ poisson(exp(mu / 4)); }`,
		`{"N": 5, "y": [0.3, null, 1.9, null, -0.2], "k": [null, 2]}`, "y", "k")
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Generative(); err != nil {
		t.Fatal(err)
	}
	r := stream(1)
	const n = 4000
	q := make([]float64, m.Dim())
	moments := make([][4]float64, 2)
	for range n {
		y, err := m.DrawJoint(r, q)
		if err != nil {
			t.Fatal(err)
		}
		other, err := m.Rebound(y)
		if err != nil {
			t.Fatal(err)
		}
		observed, _ := other.(*bind.Model).Data()
		names, x := bind.KnownNumbers(m, observed)
		if diff := cmp.Diff([]string{"y.1", "y.3", "y.5", "k.2"}, names); diff != "" {
			t.Fatal(diff)
		}
		sum := x[0] + x[1] + x[2]
		for i, z := range []float64{(q[0] - sum/4) * 2, (q[1] - sum/4) / math.Sqrt(1.25)} {
			moments[i][0] += z / n
			moments[i][1] += z * z / n
			moments[i][2] += z * sum / math.Sqrt(12) / n
		}
		if y := y.Numbers(); y[1] != q[1] || y[3] != q[2] {
			t.Fatalf("the data have %v where the parameters are %v", y, q)
		}
		if lp, err := other.NewEvaluator().LogDensity(q); err != nil || math.IsNaN(lp) {
			t.Fatalf("the density of a rebound model is %v: %v", lp, err)
		}
	}
	for i, v := range moments {
		if math.Abs(v[0]) > 4/math.Sqrt(n) || math.Abs(v[1]-1) > 4*math.Sqrt(2.0/n) || math.Abs(v[2]) > 4/math.Sqrt(n) {
			t.Errorf("quantity %d: mean %.3f, variance %.3f, correlation with the data %.3f", i, v[0], v[1], v[2])
		}
	}
	given, err := m.SimulateGiven(r, []float64{50, 0, 0, 0}) // at mu = 50, whatever was imputed
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range given.Observations[0].Value.X {
		if math.Abs(x-50) > 6 {
			t.Errorf("drawn given mu = 50: %v", given.Observations[0].Value.X)
		}
	}
}

// Powers of priors and likelihood leave the distribution of missing elements as it is: the density in closed form.
func TestOracleMissingPowers(t *testing.T) {
	m, err := imputed(`data { int N; vector[N] y; } parameters { real mu; } model { mu ~ std_normal(); y ~ normal(mu, 1); }`, `{"N": 3, "y": [0.3, null, 1.9]}`, "y")
	if err != nil {
		t.Fatal(err)
	}
	if err := bind.Unscaled(m); err != nil {
		t.Fatal(err)
	}
	q := []float64{0.4, -1.3}
	s, err := m.NewStatements(q)
	if err != nil {
		t.Fatal(err)
	}
	powers, missing := make([]float64, len(s.List)), 0
	for i, k := range s.List {
		switch powers[i] = 2; {
		case k.Likelihood:
			powers[i] = 0.5
		case bind.OfMissing(m, k):
			powers[i] = 1
			missing++
		}
	}
	normal := func(x, mu float64) float64 { return -0.5*(x-mu)*(x-mu) - 0.5*math.Log(2*math.Pi) }
	want := 2*normal(q[0], 0) + 0.5*(normal(0.3, q[0])+normal(1.9, q[0])) + normal(q[1], q[0])
	if lp, err := s.Powered(powers).NewEvaluator().LogDensity(q); err != nil || missing != 1 || !(math.Abs(lp-want) < 1e-12) {
		t.Errorf("%v: %v, in closed form %v; %d statements are of missing elements", err, lp, want, missing)
	}
}
