// Sufficient statistics of normal regressions against the kernel.

package bind_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

func TestNormalGLMSufficientStatistics(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	const n, d = 60, 4
	var rows []string
	y := make([]float64, n)
	for i := range n {
		x := make([]float64, d)
		for j := range x {
			x[j] = 3 + r.NormFloat64()*float64(1+10*j)
		}
		y[i] = 100 + x[0] - 2*x[1] + 5*r.NormFloat64()
		rows = append(rows, jsonList(x))
	}
	m := bound(t, `
data { int N; int K; matrix[N, K] X; vector[N] y; }
parameters { real a; vector[K] b; real<lower=0> s; }
model { y ~ normal_id_glm(X, a, b, s); }`,
		fmt.Sprintf(`{"N": %d, "K": %d, "X": [%s], "y": %s}`, n, d, strings.Join(rows, ","), jsonList(y)))
	e := m.NewEvaluator()
	for range 5 {
		q := []float64{100 + r.NormFloat64(), r.NormFloat64(), r.NormFloat64(), r.NormFloat64(), r.NormFloat64(), 1 + r.NormFloat64()}
		want, grad, err := m.PlainDensity(q, true)
		if err != nil {
			t.Fatal(err)
		}
		g := make([]float64, len(q))
		got, err := e.LogDensityGrad(q, g)
		if err != nil || math.Abs(got-want) > 1e-9*(1+math.Abs(want)) {
			t.Errorf("log density %v (%v), the kernel says %v", got, err, want)
		}
		for i := range g {
			if math.Abs(g[i]-grad[i]) > 1e-9*(1+math.Abs(grad[i])) {
				t.Errorf("gradient %d is %v, the kernel says %v", i, g[i], grad[i])
			}
		}
	}
}

// A density of alpha + X*beta is one function of X, alpha and beta: the same values as
// the reference interpreter's, for an intercept that is missing, a number, or a vector.
func TestPredictorForm(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	const n, d = 300, 3
	var rows []string
	y := make([]float64, n)
	for i := range n {
		x := make([]float64, d)
		for j := range x {
			x[j] = r.NormFloat64()
		}
		y[i] = float64(r.IntN(2))
		rows = append(rows, jsonList(x))
	}
	data := fmt.Sprintf(`{"N": %d, "K": %d, "X": [%s], "y": %s}`, n, d, strings.Join(rows, ","), jsonList(y))
	for _, eta := range []string{"X * b", "a + X * b", "X * b + a", "X * b + X * b * a", "rep_vector(a, N) + X * b"} {
		m := bound(t, `
data { int N; int K; matrix[N, K] X; array[N] int y; }
parameters { real a; vector[K] b; }
model { a ~ std_normal(); b ~ std_normal(); y ~ bernoulli_logit(`+eta+`); }`, data)
		e := m.NewEvaluator()
		for range 5 {
			q := []float64{r.NormFloat64(), r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}
			want, grad, err := m.PlainDensity(q, true)
			if err != nil {
				t.Fatal(err)
			}
			g := make([]float64, len(q))
			got, err := e.LogDensityGrad(q, g)
			if err != nil || math.Abs(got-want) > 1e-12*(1+math.Abs(want)) {
				t.Errorf("%s: log density %v (%v), want %v", eta, got, err, want)
			}
			for i := range g {
				if math.Abs(g[i]-grad[i]) > 1e-11*(1+math.Abs(grad[i])) {
					t.Errorf("%s: gradient %d is %v, want %v", eta, i, g[i], grad[i])
				}
			}
		}
	}
}
