// Powers of constants and logarithms of collected exponentials: rewritten, and as the reference interpreter has them.

package bind_test

import (
	"math"
	"strings"
	"testing"
)

// Neither of these needs a logarithm in each evaluation; at extreme points, where exponents are infinite or exponentials leave the
// range of numbers, value and gradient are still those of the statements as they are written.
func TestConstantLogarithms(t *testing.T) {
	const data = `{"N": 4, "x": [0.5, 1, 3, 20], "k": [3, 1, 3, 2]}`
	const head = `data { int N; vector[N] x; array[N] int k; } parameters { real a; real b; vector[4] c; } model { c ~ normal(0, 1); b ~ normal(0, 1); `
	for _, c := range []struct{ body, without string }{
		{"target += -sum(pow(x, exp(a)) ./ (3 + pow(x, exp(a))));", "pow m"},
		{"target += -sum(square(x .^ a - 2));", "pow m"},
		{"for (n in 1:N) target += -square(pow(x[n], exp(a) - b) - 1);", "pow m"},
		{"vector[4] s = exp(c + a); target += sum(log(s[k])) - square(a);", "log m"},
		{"vector[4] s = exp(c + a); target += normal_lpdf(x | b, s[k]) - square(a); target += -square(a);", "log m"},
	} {
		m := bound(t, head+c.body+" }", data)
		if text, err := m.DumpGraph(make([]float64, m.Dim())); err != nil || strings.Contains(text, c.without) {
			t.Errorf("%s: %v, %s", c.body, err, text)
		}
		e := m.NewEvaluator()
		for _, a := range []float64{0.3, -2, 2, 3, 50, 600, 720, -720, math.MaxFloat64, -math.MaxFloat64} {
			q, grad := []float64{a, 0.2, 0.1, -0.4, 0.3, 0.7}, make([]float64, 6)
			want, slopes, err := m.PlainDensity(q, true)
			got, failure := e.LogDensityGrad(q, grad)
			if (err == nil) != (failure == nil) || !nearOrSame(got, want) {
				t.Errorf("%s at %v: %v (%v), the reference interpreter has %v (%v)", c.body, a, got, failure, want, err)
				continue
			}
			if got-got != 0 || err != nil {
				continue
			}
			for i := range grad {
				if !nearOrSame(grad[i], slopes[i]) {
					t.Errorf("%s at %v: derivative %d is %v, the reference interpreter has %v", c.body, a, i, grad[i], slopes[i])
				}
			}
		}
	}
}

// nearOrSame reports whether two numbers agree to 10 digits, or are the same infinity or none.
func nearOrSame(a, b float64) bool {
	return a == b || math.IsNaN(a) && math.IsNaN(b) || math.Abs(a-b) <= 1e-10*max(1e-3, math.Abs(a), math.Abs(b))
}
