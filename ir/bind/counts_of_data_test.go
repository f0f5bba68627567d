// Densities of counts that are data, of which a program knows beforehand what depends on these alone.

package bind_test

import (
	"encoding/json"
	"math"
	"testing"
)

// Value and gradient are the reference interpreter's, which has each density whole, at ordinary points and where rates overflow.
func TestCountsOfData(t *testing.T) {
	const head = `data { int N; array[N] int y; array[N] int big; array[N] int T; matrix[N, 2] X; } parameters { real a; vector[2] b; real<lower=0> s; vector[N] u; }
model { a ~ normal(0, 1); b ~ normal(0, 1); s ~ normal(0, 1); u ~ normal(0, 1); `
	n := 300
	var y, big, trials, x []any
	for i := range n {
		y, big, trials = append(y, i*i%17), append(big, 1000*(i%300)), append(trials, 17+i%3)
		x = append(x, []any{math.Sin(float64(i)), math.Cos(float64(3 * i))})
	}
	text, err := json.Marshal(map[string]any{"N": n, "y": y, "big": big, "T": trials, "X": x})
	if err != nil {
		t.Fatal(err)
	}
	for _, body := range []string{
		"y ~ poisson_log(a + u);", "y ~ poisson(exp(a + u));", "y ~ poisson(s);", "big ~ poisson_log(a + u);",
		"y ~ poisson_log_glm(X, a, b);", "y ~ poisson_log(a + X * b);", "big ~ poisson_log_glm(X, a, b);",
		"y ~ binomial_logit(T, a + u);", "y ~ binomial(T, inv_logit(a + u));", "y ~ binomial_logit_glm(T, X, a, b);", "y ~ binomial_logit(20, a + X * b);",
		"y ~ neg_binomial_2_log(a + u, s);", "y ~ neg_binomial_2(exp(a + u), s);", "y ~ neg_binomial_2(s, s);", "y ~ neg_binomial_2_log_glm(X, a, b, s);",
		"big ~ neg_binomial_2_log(a + u, s);",
	} {
		m := bound(t, head+body+" }", string(text))
		e := m.NewEvaluator()
		for _, at := range [][2]float64{{0.3, 0.2}, {-3, 2}, {2, -6}, {5, 8}, {690, 0}, {-720, 0}} {
			q, grad := make([]float64, m.Dim()), make([]float64, m.Dim())
			for i := range q {
				q[i] = 0.5 * math.Sin(float64(2*i))
			}
			q[0], q[3] = at[0], at[1]
			want, slopes, err := m.PlainDensity(q, true)
			got, failure := e.LogDensityGrad(q, grad)
			if (err == nil) != (failure == nil) || !nearOrSame(got, want) {
				t.Errorf("%s at %v: %v (%v), the reference interpreter has %v (%v)", body, at, got, failure, want, err)
				continue
			}
			for i := range grad {
				if err == nil && got-got == 0 && !(math.Abs(grad[i]-slopes[i]) <= 1e-9*(1+math.Abs(slopes[i]))) && grad[i] != slopes[i] {
					t.Errorf("%s at %v: derivative %d is %v, the reference interpreter has %v", body, at, i, grad[i], slopes[i])
				}
			}
		}
	}
}
