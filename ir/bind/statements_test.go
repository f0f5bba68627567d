// What statements about the density mean: each against the same density spelt out, and
// constants inside the user's functions.

package bind_test

import (
	"math"
	"testing"
)

// userDensities are densities of the user's made from the library's.
const userDensities = `
functions {
  real unit_lpdf(real x) { return normal_lupdf(x | 0, 2); }
  real outer_lpdf(real x) { return unit_lupdf(x | ); }
  real full_lpdf(real x) { return normal_lpdf(x | 0, 2); }
  real count_lpmf(int n, real s) { return poisson_lupmf(n | s); }
  void add_lp(real x) { x ~ normal(0, 2); x ~ normal(0, 2); target += normal_lpdf(x | 0, 2); }
  real counts_lpmf(array[] int n, int from, int to, real s) { return poisson_lupmf(n | s); }
  real grow_jacobian(real x) { jacobian += x; return exp(x); }
  real tent_lpdf(real x, real w) { return log(w - abs(x)) - 2 * log(w); }
  real tent_cdf(real x, real w) { return x < 0 ? 0.5 * (1 + x / w) ^ 2 : 1 - 0.5 * (1 - x / w) ^ 2; }
  real tent_lcdf(real x, real w) { return log(tent_cdf(x | w)); }
  real tent_lccdf(real x, real w) { return log1m(tent_cdf(x | w)); }
  real evens_lpmf(int n, real s) { return n % 2 == 0 ? n * log(s) - log1p(s^2) : negative_infinity(); }
}
data { vector[2] y; array[2] int n; }
parameters { real mu; real<lower=0> s; }
`

const statementData = `{"y": [0.5, 2], "n": [1, 4]}`

// TestStatementsMean compares pairs of model blocks at one point, constants kept.
func TestStatementsMean(t *testing.T) {
	for _, c := range []struct{ statement, meaning string }{
		{"mu ~ normal(0, s) T[-1, ];", "target += normal_lpdf(mu | 0, s) - normal_lccdf(-1 | 0, s);"},
		{"mu ~ normal(0, s) T[, 2];", "target += normal_lpdf(mu | 0, s) - normal_lcdf(2 | 0, s);"},
		{"mu ~ normal(0, s) T[-1, 2];", "target += normal_lpdf(mu | 0, s) - log_diff_exp(normal_lcdf(2 | 0, s), normal_lcdf(-1 | 0, s));"},
		{"y ~ normal(mu, s) T[0, 3];", "target += normal_lpdf(y | mu, s) - 2 * log_diff_exp(normal_lcdf(3 | mu, s), normal_lcdf(0 | mu, s));"},
		{"mu ~ normal(0, 1) T[, ];", "target += normal_lpdf(mu | 0, 1);"},
		{"y[1] ~ gamma(2, s) T[s / 10, ];", "target += gamma_lpdf(y[1] | 2, s) - gamma_lccdf(s / 10 | 2, s);"},
		{"mu ~ normal(0, 1) T[2, ];", "target += negative_infinity();"},
		// A lower bound of a count belongs to what is left: the mass below is that of n - 1.
		{"n[2] ~ poisson(s) T[3, ];", "target += poisson_lpmf(4 | s) - log1m_exp(poisson_lcdf(2 | s));"},
		{"n[2] ~ poisson(s) T[, 5];", "target += poisson_lpmf(4 | s) - poisson_lcdf(5 | s);"},
		{"n[2] ~ poisson(s) T[3, 5];", "target += poisson_lpmf(4 | s) - log_sum_exp({poisson_lpmf(3 | s), poisson_lpmf(4 | s), poisson_lpmf(5 | s)});"},
		{"n ~ poisson(s) T[1, 5];", "target += poisson_lpmf(n | s) - 2 * log_sum_exp({poisson_lpmf(1 | s), poisson_lpmf(2 | s), poisson_lpmf(3 | s), poisson_lpmf(4 | s), poisson_lpmf(5 | s)});"},
		{"n[1] ~ binomial(6, inv_logit(mu)) T[1, 1];", "target += 0;"},
		{"n[2] ~ neg_binomial_2(s, 3) T[4, ];", "target += neg_binomial_2_lpmf(4 | s, 3) - log1m_exp(neg_binomial_2_lcdf(3 | s, 3));"},
		{"n[1] ~ poisson(s) T[2, ];", "target += negative_infinity();"},
		{"mu ~ tent(9) T[-1, ];", "target += tent_lpdf(mu | 9) - tent_lccdf(-1 | 9);"},
		{"mu ~ tent(9) T[-1, 2];", "target += tent_lpdf(mu | 9) - log_diff_exp(tent_lcdf(2 | 9), tent_lcdf(-1 | 9));"},
		{"n[2] ~ evens(s);", "target += evens_lpmf(4 | s);"},
		{"for (x in y) x ~ normal(mu, s);", "target += normal_lpdf(y | mu, s);"},
		{"for (x in n) target += x * mu; target += y;", "target += sum(n) * mu + sum(y);"},
		{"target += {{mu, s}, {1, 2}};", "target += mu + s + 3;"},
		{"add_lp(mu);", "target += 3 * normal_lpdf(mu | 0, 2);"},
		{"profile(\"p\") { mu ~ normal(0, 1); }", "target += std_normal_lpdf(mu | );"},
		{"vector[0] none; none ~ normal(mu, s); target += none; y[1:0] ~ normal(mu, s);", "target += 0;"},
	} {
		q := []float64{0.3, 0.2}
		got, err := bound(t, userDensities+"model { "+c.statement+" }", statementData).Density(false, false).LogDensity(q)
		want, err2 := bound(t, userDensities+"model { "+c.meaning+" }", statementData).Density(false, false).LogDensity(q)
		if err != nil || err2 != nil || got != want && !(math.Abs(got-want) <= 1e-11*math.Max(1, math.Abs(want))) {
			t.Errorf("%s gives %v (%v), and %s %v (%v)", c.statement, got, err, c.meaning, want, err2)
		}
	}
}

// TestProptoInFunctions: a density of the user's leaves out constants where it is called by "~",
// by _lupdf and _lupmf, and there alone; a function with access to the target always does.
// reduce_sum hands on what its function is called.
func TestProptoInFunctions(t *testing.T) {
	q := []float64{0.3, 0.2}
	mu, s := q[0], math.Exp(q[1])
	part := -mu * mu / 8
	full := part - math.Log(2) - math.Log(2*math.Pi)/2
	counts := 5*math.Log(s) - 2*s
	for _, c := range []struct {
		model string
		want  float64
	}{
		{"mu ~ unit();", part},
		{"target += unit_lupdf(mu | );", part},
		{"target += unit_lpdf(mu | );", full},
		{"mu ~ outer();", part},
		{"target += outer_lupdf(mu | );", part},
		{"target += outer_lpdf(mu | );", full},
		{"mu ~ full();", full},
		{"n[2] ~ count(s);", 4*math.Log(s) - s},
		{"target += count_lupmf(4 | s);", 4*math.Log(s) - s},
		{"target += count_lpmf(4 | s);", 4*math.Log(s) - s - math.Log(24)},
		{"add_lp(mu);", 2*part + full},
		{"target += reduce_sum(counts_lupmf, n, 1, s);", counts},
		{"target += reduce_sum(counts_lpmf, n, 1, s);", counts - math.Log(24)},
		{"target += 2 * unit_lupdf(mu | ) + log_sum_exp(unit_lupdf(mu | ), unit_lpdf(mu | ));", 2*part + math.Log(math.Exp(part)+math.Exp(full))},
	} {
		got, err := bound(t, userDensities+"model { "+c.model+" }", statementData).Density(false, true).LogDensity(q)
		if err != nil || math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%s: %v (%v), want %v", c.model, got, err, c.want)
		}
	}
}

// TestProptoByType: which arguments are data is a matter of types, as in Stan's compiler: local
// variables of the model block may depend on parameters, and those of a function if one of its
// arguments may. The values are those of the density of normal(0, 2) at 0.3, by hand.
func TestProptoByType(t *testing.T) {
	const head = `functions {
  real centred_lpdf(real x, real scale) { real two = 2; return normal_lupdf(x | 0, two); }
  real given_lpdf(data real x, real m, data real scale) { real two = scale; return normal_lupdf(x | m, scale); }
}
data { real d; real two; array[1] real ds; }
transformed data { real three = two; }
parameters { real m; }
transformed parameters { real still = 2; }
model { target += m; `
	square, scale, pi2 := -0.3*0.3/8, -math.Log(2), -math.Log(2*math.Pi)/2
	for _, c := range []struct {
		model string
		want  float64
	}{
		{"d ~ normal(0, two);", 0},
		{"d ~ normal(0, 2);", 0},
		{"d ~ normal(0, three);", 0},
		{"d ~ normal(0 * m, two);", square},
		{"d ~ normal(0, still);", square + scale},
		{"real z = 2; d ~ normal(0, z);", square + scale},
		{"int z = 2; d ~ normal(0, z);", 0},
		{"for (x in ds) x ~ normal(0, 2);", 0},
		{"real x = 0.3; x ~ normal(0, 2);", square},
		{"tuple(real, int) x = (0.3, 2); x.1 ~ normal(0, x.2);", square},
		{"d ~ normal(0, (two, m).1);", 0},
		{"d ~ centred(two);", 0},
		{"d ~ centred(still);", square + scale},
		{"d ~ given(0 * m, two);", square},
		{"d ~ normal(0, two) T[-1, ];", 0.9 * 0},
		{"target += normal_lpdf(d | 0, two);", square + scale + pi2},
		{"d ~ uniform(0, two);", 0},
		{"d ~ uniform(0.5, two);", 0},
	} {
		m := bound(t, head+c.model+" }", `{"d": 0.3, "two": 2, "ds": [0.3]}`)
		got, err := m.Density(false, true).LogDensity([]float64{0.7})
		want := 0.7 + c.want
		if c.model == "d ~ normal(0, two) T[-1, ];" { // the truncation is kept
			want -= math.Log(1 - 0.5*math.Erfc(0.5/math.Sqrt2))
		}
		if err != nil || math.Abs(got-want) > 1e-12 {
			t.Errorf("%s: %v (%v), want %v", c.model, got, err, want)
		}
	}
}

// TestJacobianIncrement counts "jacobian +=" where the density is on the unconstrained
// scale, and nowhere else.
func TestJacobianIncrement(t *testing.T) {
	m := bound(t, userDensities+`transformed parameters {
  real a = grow_jacobian(mu);
  jacobian += 2 * mu;
  vector<lower=1, upper=4>[2] b = lower_upper_bound_jacobian([mu, -mu]', 1, 4);
}
model { a ~ exponential(1); }`, statementData)
	q := []float64{0.3, 0.2}
	logistic := func(x float64) float64 { return 1 / (1 + math.Exp(-x)) }
	jacobian := 3*0.3 + q[1] + 2*math.Log(3*logistic(0.3)*logistic(-0.3))
	for _, c := range []struct {
		on   bool
		want float64
	}{{true, -math.Exp(0.3) + jacobian}, {false, -math.Exp(0.3)}} {
		got, err := m.Density(c.on, false).LogDensity(q)
		if err != nil || math.Abs(got-c.want) > 1e-12 {
			t.Errorf("with Jacobian %v: %v (%v), want %v", c.on, got, err, c.want)
		}
	}
}
