// Programs that Stan accepts since 2.37 to 2.40.

package bind_test

import (
	"math"
	"strings"
	"testing"
)

// TestProgramsOf240 runs programs whose elements of "e" are 0 by the meaning of what they use.
func TestProgramsOf240(t *testing.T) {
	const data = `{"n": 4, "y": [1, 2, 0, 0.5], "x": [0.1, -1, 2, 3], "r": [1, 2, 3]}`
	for name, text := range map[string]string{
		"tuples of one": `
functions {
  real first(tuple(real,) a) { return a.1; }
  real foo_lpmf(tuple(int, int) x, real y) { return x.1 * y + x.2; }
  real bar_lpmf(array[] tuple(int, array[] int) x, real y) { return sum(x[2].2) * y + x[1].1; }
}
transformed data {
  tuple(real,) x = (3.5,);
  array[2] tuple(int, ) w = {(1,), (2,)};
  tuple(tuple(int,), real) q = ((7,), 2.0);
  array[2] tuple(int, array[2] int) z = {(1, {2, 3}), (4, {5, 6})};
}
parameters { real t; }
transformed parameters {
  array[5] real e;
  real k;
  (k,) = (t,);
  e[1] = k - t;
  e[2] = first(x) + first((t,)) - 3.5 - t;
  e[3] = w[2].1 + q.1.1 - 9;
  e[4] = foo_lpmf((2, 3) | t) - 2 * t - 3;
  e[5] = bar_lpmf(z | t) - 11 * t - 1;
}
model { (2, 3) ~ foo(t); t ~ normal(0, 1); }`,
		"normal_id_glm": `
data { int n; vector[n] y; vector[n] x; row_vector[3] r; }
parameters { real a; vector[n] av; vector[1] b; vector[3] b3; real<lower=0> s; vector<lower=0>[n] sv; }
transformed parameters {
  array[9] real e;
  e[1] = normal_id_glm_lpdf(y | x, a, b, s) - normal_lpdf(y | a + x * b[1], s);
  e[2] = normal_id_glm_lpdf(y | x, av, b, sv) - normal_lpdf(y | av + x * b[1], sv);
  e[3] = normal_id_glm_lpdf(y | r, av, b3, sv) - normal_lpdf(y | av + r * b3, sv);
  e[4] = normal_id_glm_lpdf(0.3 | r, a, b3, s) - normal_lpdf(0.3 | a + r * b3, s);
  e[5] = normal_id_glm_lpdf(0.3 | x, a, b, s) - normal_lpdf(0.3 | a + x * b[1], s);
  e[6] = normal_id_glm_lpdf(0.3 | x, av, b, s) - normal_lpdf(0.3 | av + x * b[1], s);
  e[7] = normal_id_glm_lpdf(0.3 | x, a, b, sv) - normal_lpdf(0.3 | a + x * b[1], sv);
  e[8] = normal_id_glm_lpdf(y | av, a, b, sv) - normal_lpdf(y | a + av * b[1], sv);
  e[9] = normal_id_glm_lpdf(0.3 | r, [a]', b3, [s]') - normal_lpdf(0.3 | a + r * b3, s);
}
model { y ~ normal_id_glm(x, a, b, s); y ~ normal_id_glm(av, a, b, sv); 0.3 ~ normal_id_glm(r, a, b3, s); sv ~ lognormal(0, 1); }`,
		"truncation by functions of the user's": `
functions {
  real foo_lpdf(real y, vector th) { return normal_lpdf(y | th[1], th[2]); }
  real foo_lccdf(real y, vector th) { return normal_lccdf(y | th[1], th[2]); }
  real foo_lcdf(real y, vector th) { return normal_lcdf(y | th[1], th[2]); }
}
parameters { real m; real<lower=0> s; real<lower=0.2> z; }
transformed parameters { array[1] real e = {0}; }
model { z ~ foo([m, s]') T[0.2, ]; s ~ exponential(1); m ~ normal(0, 1); }`,
		"poisson_binomial": `
parameters { real q; real<lower=0, upper=1> p; }
transformed parameters {
  array[7] real e;
  vector[3] theta = inv_logit([q - 0.5, q, q + 0.8]');
  e[1] = poisson_binomial_lpmf(2 | rep_vector(p, 3)) - binomial_lpmf(2 | 3, p);
  e[2] = poisson_binomial_lcdf({1, 2} | theta) - log(poisson_binomial_cdf(1 | theta')) - log(1 - exp(sum(log(theta))));
  e[3] = poisson_binomial_lccdf(2 | theta) - sum(log(theta));
  e[4] = poisson_binomial_lpmf({0, 3} | to_array_1d(theta)) - sum(log(1 - theta)) - sum(log(theta));
  e[5] = poisson_binomial_lpmf({1, 0} | {[p]', [theta[1]]'}) - log(p) - log(1 - theta[1]);
  e[6] = poisson_binomial_lpmf(0 | zeros_vector(0));
  e[7] = poisson_binomial_lpmf(1 | [p, theta[2]]) - log(p * (1 - theta[2]) + (1 - p) * theta[2]);
}
model { 2 ~ poisson_binomial(theta); {1, 2} ~ poisson_binomial(theta'); 1 ~ poisson_binomial(theta) T[1, 2]; }`,
	} {
		t.Run(name, func(t *testing.T) {
			m := program(t, text, data)
			q := make([]float64, m.Dim())
			for range 3 {
				for i := range q {
					q[i] = math.Sin(q[i] + float64(i) + 0.3)
				}
				for column, v := range outputs(t, m, q) {
					if strings.HasPrefix(column, "e.") && !(math.Abs(v) < 1e-12) {
						t.Errorf("%s is %v at %v", column, v, q)
					}
				}
				checkGradient(t, m, q, 1e-6)
			}
		})
	}
}
