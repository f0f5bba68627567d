// Checks of simplexes of which data choose an element in each iteration.

package bind_test

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
)

// The logarithm of the chosen element shows that a softmax is none, so that no iteration looks at the whole of it; points
// where it is none are judged as by the reference interpreter. Of other vectors each is looked at.
func TestChosenElementsShowSimplexes(t *testing.T) {
	const head = `data { int N; array[N] int g; array[N] int y; vector[N] x; } parameters { vector[5] theta; vector[3] k; simplex[4] s; } model { theta ~ normal(0, 1); k ~ normal(0, 3); `
	var g, y, x []any
	for i := range 600 {
		g, y, x = append(g, i%5+1), append(y, i*i%4+1), append(x, 0.1*math.Sin(float64(i)))
	}
	data, err := json.Marshal(map[string]any{"N": 600, "g": g, "y": y, "x": x})
	if err != nil {
		t.Fatal(err)
	}
	for body, looked := range map[string]bool{
		"for (n in 1:N) y[n] ~ categorical(softmax(append_row(0, exp(theta[g[n]] + x[n]) - k))); }":                                      false,
		"for (n in 1:N) { vector[4] p = softmax(cumulative_sum(append_row(0, exp(theta[g[n]] + x[n]) - k))); y[n] ~ categorical(p); } }": false,
		"for (n in 1:N) y[n] ~ categorical(0.25 + tanh(theta[g[n]] + x[n]) * append_row(append_row(k, 0), -sum(k))[{1, 2, 3, 5}]); }":    true,
	} {
		m := bound(t, head+body, string(data))
		text, err := m.DumpGraph(make([]float64, m.Dim()))
		if err != nil || (strings.Contains(text, "in each iteration a check") || strings.Contains(text, "categorical_lpmf")) != looked {
			t.Errorf("%s: looked at must be %t, %v\n%s", body, looked, err, text)
		}
		e := m.NewEvaluator()
		for _, x := range []float64{0.1, 3, 8, 600, 800, -800, math.NaN(), math.Inf(1)} {
			q, grad := make([]float64, m.Dim()), make([]float64, m.Dim())
			for i := range q {
				q[i] = 0.01 * math.Sin(float64(3*i))
			}
			q[2] = x
			want, _, err := m.PlainDensity(q, true)
			got, failure := e.LogDensityGrad(q, grad)
			if (err == nil) != (failure == nil) || err == nil && !nearOrSame(got, want) {
				t.Errorf("%s at %v: %v (%v), the reference interpreter has %v (%v)", body, x, got, failure, want, err)
			}
		}
	}
}
