// Factors of likelihoods that are no univariate densities: against log densities that the program computes row by row.

package bind_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

const rowsData = `data { int N; vector[N] x; vector[N] y; array[N] int k; array[N] int b; array[N] int o; vector[N] t; array[N] int c; matrix[N, 2] X; array[N] vector[2] v; }
parameters { real a; real w; real<lower=0> s; ordered[2] cut; vector[2] beta; }
`

// Of a mixture with discrete labels the factors are those of log_mix, and a group that shares a label is one observation.
func TestObservedRowsDiscrete(t *testing.T) {
	q := []float64{0.4, -0.3, 0.2, 0.1, 0.3, -0.6, 0.25}
	for _, c := range []struct {
		body string
		n    int
		row  string
	}{
		{"for (n in 1:N) { z[n] ~ bernoulli_logit(w); y[n] ~ normal(z[n] * a, 1); }", 5, "log_mix(inv_logit(w), normal_lpdf(y[n] | a, 1), normal_lpdf(y[n] | 0, 1))"},
		{"z ~ bernoulli_logit(w); y ~ normal(a * to_vector(z), s);", 5, "log_mix(inv_logit(w), normal_lpdf(y[n] | a, s), normal_lpdf(y[n] | 0, s))"},
		{"z ~ bernoulli_logit(w); y ~ normal(a, s);", 5, "normal_lpdf(y[n] | a, s)"},
		{"for (n in 1:N) { z[n] ~ bernoulli_logit(w); } for (n in 1:2) y[n] ~ normal(z[1] * a, 1); for (n in 3:N) y[n] ~ normal(z[3] * a, s);", 2, ""},
	} {
		text := strings.Replace(rowsData, "vector[2] beta; }", "vector[2] beta; array[5] int<lower=0, upper=1> z; }", 1) + "model { a ~ normal(0, 1);\n" + c.body + "\n}"
		m := bound(t, text, rowsJSON)
		o, err := m.NewObservations(0)
		if err != nil || o.Len() != c.n {
			t.Errorf("%s: %v %v", c.body, o, err)
			continue
		}
		got := make([]float64, c.n)
		if err := o.LogTerms(q, got, nil); err != nil {
			t.Fatal(err)
		}
		for n := range c.n {
			if c.row == "" {
				continue
			}
			want, err := bound(t, rowsData+"model { target += "+strings.ReplaceAll(c.row, "[n]", fmt.Sprintf("[%d]", n+1))+"; }", rowsJSON).NewEvaluator().LogDensity(q)
			none, err2 := bound(t, rowsData+"model { }", rowsJSON).NewEvaluator().LogDensity(q)
			if want -= none; err != nil || err2 != nil || !(math.Abs(got[n]-want) <= 1e-12*(1+math.Abs(want))) {
				t.Errorf("%s: row %d is %.14g, by itself %.14g (%v, %v)", c.body, n+1, got[n], want, err, err2)
			}
		}
	}
	one := bound(t, "data { vector[2] y; } parameters { real a; int<lower=0, upper=1> z; } model { z ~ bernoulli(0.3); y ~ normal(a * z, 1); }", `{"y": [0.5, 1]}`)
	if _, err := one.NewObservations(0); err == nil || !strings.Contains(err.Error(), "one number for all") {
		t.Errorf("one label for all: %v", err)
	}
}

const rowsJSON = `{"N": 5, "x": [0.5, -1, 2, 0.1, 0.3], "y": [1.5, 0.25, 0.5, 0.75, 2], "k": [1, 0, 4, 0, 2], "b": [1, 0, 1, 1, 0], "o": [1, 3, 2, 2, 1],
 "t": [0.5, 1.5, 2, 0.3, 1], "c": [0, 1, 0, 0, 1], "X": [[1, 2], [0.5, 1], [-1, 0], [0, 0.3], [1, 1]], "v": [[1, 2], [0.5, 1], [-1, 0], [0, 0.3], [1, 1]]}`

// rowsOf are the bodies of models, and the log density of row n.
var rowsOf = []struct{ body, row string }{
	{"b ~ bernoulli_logit_glm(X, a, beta);", "bernoulli_logit_lpmf(b[n] | a + X[n] * beta)"},
	{"y ~ normal_id_glm(X, a, beta, s);", "normal_lpdf(y[n] | a + X[n] * beta, s)"},
	{"o ~ ordered_logistic(w * x, cut);", "ordered_logistic_lpmf(o[n] | w * x[n], cut)"},
	{"for (n in 1:N) o[n] ~ categorical_logit([a, w, 0]');", "categorical_logit_lpmf(o[n] | [a, w, 0]')"},
	{"v ~ multi_normal(beta, diag_matrix([s, 1]'));", "multi_normal_lpdf(v[n] | beta, diag_matrix([s, 1]'))"},
	{"for (n in 1:N) v[n] ~ multi_normal(beta, diag_matrix([s, 1]'));", "multi_normal_lpdf(v[n] | beta, diag_matrix([s, 1]'))"},
	{"for (n in 1:N) target += log_mix(inv_logit(w), normal_lpdf(y[n] | a, 1), normal_lpdf(y[n] | 0, s));", "log_mix(inv_logit(w), normal_lpdf(y[n] | a, 1), normal_lpdf(y[n] | 0, s))"},
	{"for (n in 1:N) { if (c[n] == 1) target += weibull_lccdf(t[n] | s, exp(a)); else t[n] ~ weibull(s, exp(a)); }",
		"c[n] == 1 ? weibull_lccdf(t[n] | s, exp(a)) : weibull_lpdf(t[n] | s, exp(a))"},
	{"for (n in 1:N) { if (c[n] == 0) t[n] ~ weibull(s, exp(a)); if (c[n] == 1) target += weibull_lccdf(t[n] | s, exp(a)); }",
		"c[n] == 1 ? weibull_lccdf(t[n] | s, exp(a)) : weibull_lpdf(t[n] | s, exp(a))"},
	{"for (n in 1:N) y[n] ~ normal(a + w * x[n], s) T[0, ];", "normal_lpdf(y[n] | a + w * x[n], s) - normal_lccdf(0 | a + w * x[n], s)"},
	{"y ~ normal(a + w * x, s) T[0, ];", "normal_lpdf(y[n] | a + w * x[n], s) - normal_lccdf(0 | a + w * x[n], s)"},
	{"y ~ normal(a, s) T[0, ];", "normal_lpdf(y[n] | a, s) - normal_lccdf(0 | a, s)"},
	{"for (n in 1:N) { y[n] ~ normal(a, s); target += -normal_lccdf(0 * x[n] | a, s); }", "normal_lpdf(y[n] | a, s) - normal_lccdf(0 | a, s)"},
	{"for (n in 1:N) { if (k[n] == 0) target += log_sum_exp(bernoulli_logit_lpmf(1 | w), bernoulli_logit_lpmf(0 | w) + poisson_lpmf(0 | s)); else target += bernoulli_logit_lpmf(0 | w) + poisson_lpmf(k[n] | s); }",
		"k[n] == 0 ? log_sum_exp(bernoulli_logit_lpmf(1 | w), bernoulli_logit_lpmf(0 | w) + poisson_lpmf(0 | s)) : bernoulli_logit_lpmf(0 | w) + poisson_lpmf(k[n] | s)"},
	{"target += exponential_lccdf(t | s);", "exponential_lccdf(t[n] | s)"},
	{"for (n in 1:N) { real m = a + w * x[n]; target += normal_lpdf(y[n] | m, s) * 0.5; }", "0.5 * normal_lpdf(y[n] | a + w * x[n], s)"},
}

func TestObservedRows(t *testing.T) {
	prior := "  a ~ normal(0, 1); w ~ normal(0, 1); s ~ exponential(1); cut ~ normal(0, 2); beta ~ normal(0, 1);\n"
	q := []float64{0.4, -0.3, 0.2, 0.1, 0.3, -0.6, 0.25}
	for _, c := range rowsOf {
		m := bound(t, rowsData+"model {\n"+prior+c.body+"\n}", rowsJSON)
		o, err := m.NewObservations(0)
		if err != nil || o.Len() != 5 {
			t.Errorf("%s: %v", c.body, err)
			continue
		}
		got := make([]float64, 5)
		if err := o.LogTerms(q, got, nil); err != nil {
			t.Fatal(err)
		}
		for n := range 5 {
			text := strings.ReplaceAll(strings.ReplaceAll(c.row, "[n]", fmt.Sprintf("[%d]", n+1)), "[n,", fmt.Sprintf("[%d,", n+1))
			alone := bound(t, rowsData+"model { target += "+text+"; }", rowsJSON)
			want, err := alone.NewEvaluator().LogDensity(q)
			if err != nil {
				t.Fatal(err)
			}
			none, err := bound(t, rowsData+"model { }", rowsJSON).NewEvaluator().LogDensity(q)
			if err != nil {
				t.Fatal(err)
			}
			if want -= none; !(math.Abs(got[n]-want) <= 1e-12*(1+math.Abs(want))) {
				t.Errorf("%s: row %d is %.14g, by itself %.14g", c.body, n+1, got[n], want)
			}
		}
		checkObservationGradient(t, o, slices.Clone(q))
	}
}

// What is no product over observations, or may count one twice, is refused.
func TestObservedRowsRefused(t *testing.T) {
	for _, c := range []struct{ body, want string }{
		{"x ~ multi_normal(rep_vector(a, N), diag_matrix(rep_vector(s, N)));", "one number for all"},
		{"target += log_mix(0.3, normal_lpdf(y | a, 1), normal_lpdf(y | 0, 1));", "one number for all"},
		{"y ~ normal(a + w * x, s); target += -normal_lccdf(0 * x | a + w * x, s);", "what others are divided by"},
		{"target += -2 * square(y[1] - a);", "one number for all"},
		{"for (n in 1:N) { y[n] ~ normal(a, s); for (k1 in 1:2) target += log_mix(0.2, normal_lpdf(v[n][k1] | a, s), normal_lpdf(v[n][k1] | w, s)); }", "may belong to the same observation"},
		{"for (n in 1:N) { target += log_mix(0.2, normal_lpdf(y[n] | a, s), normal_lpdf(y[n] | w, s)); for (k1 in 1:2) v[n][k1] ~ normal(a, s); }", "may belong to the same observation"},
	} {
		m := bound(t, rowsData+"model {\n"+c.body+"\n}", rowsJSON)
		if _, err := m.NewObservations(0); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.body, err)
		}
	}
}
