// Statements over rows of data in parts: the same density, whatever they are made of.

package bind_test

import (
	"math"
	"testing"

	"github.com/seed-12b88e03/ppl/ir/bind"
)

// rowSumsHead declares what the statements are about.
const rowSumsHead = `
data { int N; }
transformed data {
  int M = N + 1;
  matrix[N, 3] x;
  vector[N] y = sin(linspaced_vector(N, 0, N));
  vector[N] t = cos(linspaced_vector(N, 0, N));
  vector[M] longer = cos(linspaced_vector(M, 0, N));
  array[N] int g;
  array[2, N] real lists = { to_array_1d(t), to_array_1d(y) };
  array[N] int z;
  array[N] int m = rep_array(3, N);
  for (n in 1:N) { x[n] = [sin(n * 1.1), cos(n * 0.3), sin(n)]; g[n] = 1 + n % 4; z[n] = n % 2; }
}
parameters { real a; vector[3] b; vector[4] u; real<lower=0> s; vector[N] each; matrix[3, 4] v; }
transformed parameters {
  vector[N] mu = a + x * b;
  vector[N] eta;
  for (n in 1:N) eta[n] = u[g[n]] + mu[n];
}
model {
  vector[N] w = mu .* t + exp(0.1 * mu);
  vector[N] twice = mu;
  vector[N] late;
  if (N > 3) late = 2 * mu;
  twice += 1;
  { vector[3] inner = 2 * b; a ~ normal(sum(inner), 10); b ~ normal(0, s); u ~ normal(0, 1); each ~ normal(0, 1); to_vector(v) ~ normal(0, 1); }
  `

// rowSumsCases are statements, and whether they are divided.
var rowSumsCases = []struct {
	text    string
	divided bool
}{
	{"y ~ normal(eta, s);", true},
	{"y ~ student_t(4, w, s);", true},
	{"y ~ cauchy(mu, exp(u[g]));", true},
	{"y ~ logistic(a + b[1] * x[, 2] + v[2, g]', s);", true},
	{"y ~ cauchy(a + b[1] * to_vector(lists[2]) + b[2] * (to_row_vector(x[, 1]))', s);", true},
	{"y[2:N] ~ cauchy(a + b[1] * y[1:N - 1], s);", true},
	{"y[2:N] ~ normal(a + b[1] * y[1:N - 1], s);", false}, // statistics are less work
	{"for (n in 2:N) y[n] ~ cauchy(a + b[1] * t[n - 1], s);", true},
	{"for (n in 1:N) z[n] ~ bernoulli_logit(a + b[1] * t[n] + u[g[n]] + v[z[n] + 1, g[n]]);", true},
	{"{ real c = a * 2; vector[N] o = c + x * b; z ~ bernoulli_logit_glm(x, o, b); }", true},
	{"z ~ poisson_log_glm(x, a, b);", true},
	{"y ~ normal_id_glm(x, u[g], b, exp(w));", true},
	{"z ~ neg_binomial_2_log_glm(x, a, b, s);", true},
	{"z ~ binomial_logit_glm(m, x, a, b);", true},
	{"g ~ categorical_logit(u);", false}, // counts are less work
	{"g ~ ordered_logistic(mu, to_vector({-1, 0.5, 2 + s}));", true},
	{"for (n in 1:N) target += log_mix(0.3, normal_lpdf(y[n] | a, 1), normal_lpdf(y[n] | mu[n], 2));", true},
	{"target += normal_lupdf(y | x * b, s); target += gumbel_lpdf(t | mu, s);", true},
	{"target += sum(log1p_exp(w));", true},
	{"target += -square(rows_dot_product(x, rep_matrix(b', N)) - y);", false},              // a matrix that the parameters fill
	{"y ~ normal(each, s);", false},                                                        // its own rows grow with the data
	{"target += sum(log1p_exp(w + each[m]) - square(w - each[m]) + cos(each[m]));", false}, // more numbers go in than a part is worth
	{"y ~ normal(twice, s);", false},                                                       // it is changed
	{"y ~ normal(late, s);", false},                                                        // it may have no value
	{"each ~ normal(mu, s);", false},
	{"for (n in 1:N) target += -square(y[n] - mu[N + 1 - n]);", false},
	{"for (n in 1:N) longer[n] ~ cauchy(mu[n], s);", true},
	{"longer[2:M] ~ cauchy(mu, s);", true},
	{"y ~ normal(mu, s) T[-5, ];", false},
	{"if (a < 0) y ~ cauchy(mu, s);", true},
	{"if (a < 0) y ~ cauchy(mu, s); else y ~ cauchy(eta, s);", false},
	{"vector[N] o; { real c = a * 2; o = c + x * b; } { real d = 99 * a; y ~ cauchy(o, s + exp(d)); }", false}, // c is gone
	{"real c = a; vector[N] o = c + x * b; c = 3; y ~ cauchy(o, s);", false},                                   // c is another
	{"target += sum(log1p_exp(w + target()));", false},
	{"row_vector[3] r = b'; target += sum(r * x[1:3, 1:3]); y ~ cauchy(mu, s);", true},
}

func TestRowSums(t *testing.T) {
	for _, c := range rowSumsCases {
		text := rowSumsHead + c.text + "\n}\n"
		whole := slicedWith(t, text, rowSumsSize, bind.Options{Seed: 1})
		parts := slicedWith(t, text, rowSumsSize, bind.Options{Seed: 1, Divide: true})
		q := slicedPoint(parts)
		n, err := bind.Sums(parts, q)
		if err != nil || len(n) > 0 != c.divided {
			t.Errorf("%s\nin parts: %v, %v", c.text, n, err)
		}
		grad, want := make([]float64, len(q)), make([]float64, len(q))
		for range 2 {
			lp, err := parts.NewEvaluator().LogDensityGrad(q, grad)
			if err != nil {
				t.Fatalf("%s\n%v", c.text, err)
			}
			exact, err := whole.NewEvaluator().LogDensityGrad(q, want)
			if err != nil {
				t.Fatalf("%s\n%v", c.text, err)
			}
			near := func(x, y float64) bool { return math.Abs(x-y) <= 1e-10*(1+math.Abs(y)) }
			if !near(lp, exact) {
				t.Errorf("%s\nlog density %v in parts, %v in one", c.text, lp, exact)
			}
			for i := range grad {
				if !near(grad[i], want[i]) {
					t.Errorf("%s\nderivative %d is %v in parts, %v in one", c.text, i, grad[i], want[i])
					break
				}
			}
			for i := range q {
				q[i] -= 0.3 * float64(i%3)
			}
		}
	}
}

// rowSumsSize is a size at which all are divided that can be.
const rowSumsSize = 5000

// Sizes that do not fit are told as they are without parts.
func TestRowSumsOfOtherSizes(t *testing.T) {
	for _, statement := range []string{"longer ~ normal(mu, s);", "y ~ cauchy(a * longer, s);", "y[2:N] ~ normal(a + b[1] * y[1:N], s);", "y[2:M] ~ normal(a + b[1] * y, s);"} {
		var texts []string
		for _, divide := range []bool{false, true} {
			m := slicedWith(t, rowSumsHead+statement+"\n}\n", rowSumsSize, bind.Options{Seed: 1, Divide: divide})
			_, err := m.NewEvaluator().LogDensity(make([]float64, m.Dim()))
			if err == nil {
				t.Fatalf("no error of %s", statement)
			}
			texts = append(texts, err.Error())
		}
		if texts[0] != texts[1] {
			t.Errorf("%q in one, %q in parts", texts[0], texts[1])
		}
	}
}
